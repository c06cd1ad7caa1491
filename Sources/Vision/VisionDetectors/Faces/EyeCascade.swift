// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations

/// Open eyes in faces, by OpenCV's eye cascade: it sees some of them, and takes few other things for one. Used by one
/// thread.
final class EyeCascade {
    static let file = "haarcascade_eye.xml"
    private static let side = 128
    /// Half of what is searched around the place where an eye should be, in sides of the square.
    private static let reach: Float = 0.17

    private let cascade: CascadeClassifier
    private var samples: [UInt8] = []

    init() throws(DetectorError) {
        cascade = try CascadeClassifier(Self.file, width: Self.side, step: 1.1, capacity: 8)
    }

    /// How sure the cascade is of an open eye there, 0...1; nil: it sees none, which says nothing.
    ///
    /// - Parameter middle: in sides of the square.
    func openness(in crop: FaceCrop, of frame: Frame, around middle: Point) throws(DetectorError) -> Float? {
        let reach = Self.reach
        let part = Box(x: middle.x - reach, y: middle.y - reach, width: 2 * reach, height: 2 * reach)
        return try best(crop, frame, part)?.confidence
    }

    /// The eyes of a face of which only the box is known: of the best match on each side.
    func eyes(of face: Box, in frame: Frame) throws(DetectorError) -> [Face.Landmark] {
        let crop = FaceCrop(face)
        var eyes: [Face.Landmark] = []
        // A cascade's square begins at the brow's upper edge and ends at the chin.
        for (name, left) in [(Face.Landmark.Name.rightEye, Float(0.1)), (.leftEye, 0.5)] {
            let part = Box(x: left, y: 0.2, width: 0.4, height: 0.35)
            guard let match = try best(crop, frame, part) else { continue }
            let (u, v) = (match.box.center.x / Float(Self.side), match.box.center.y / Float(Self.side))
            eyes.append(Face.Landmark(name: name, position: crop.point(part.x + u, part.y + v)))
        }
        return eyes
    }

    private func best(_ crop: FaceCrop, _ frame: Frame, _ part: Box) throws(DetectorError) -> CascadeClassifier.Match? {
        let columns = crop.sampleLuma(frame, side: Self.side, part: part, into: &samples)
        return try samples.withUnsafeBufferPointer { buffer throws(DetectorError) in
            guard let base = buffer.baseAddress else { return nil }
            return try cascade.matches(
                in: base, stride: columns, width: columns, height: buffer.count / columns,
                smallest: 0.12 * Float(Self.side)
            ).first
        }
    }
}
