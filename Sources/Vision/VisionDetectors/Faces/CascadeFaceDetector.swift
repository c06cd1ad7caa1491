// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations
import Settings

/// Frontal faces by OpenCV's cascade. It needs no installed model. Its only landmarks are the eyes that it sees, and it
/// is far slower and less sure than a network.
final class CascadeFaceDetector: Detector {
    /// The best of Debian's frontal cascades on the project's pictures (`docs/performance/faces.md`).
    private static let file = "haarcascade_frontalface_alt2.xml"
    private static let capacity = 64

    private let cascade: CascadeClassifier
    private let eyes: EyeCascade?
    private let attributes: (any FaceAttributes)?
    private let landmarks: Bool
    private let selection: FaceSelection
    private let region: NormalizedRegion
    private let minimumSize: Double
    private let minimumConfidence: Float
    private(set) var unreported: [Box] = []

    init(settings: FaceSettings, attributes: (any FaceAttributes)?) throws(DetectorError) {
        let isFast = settings.mode == .fast
        cascade = try CascadeClassifier(
            Self.file, width: isFast ? 400 : 480, step: isFast ? 1.2 : 1.1, capacity: Self.capacity)
        eyes = settings.landmarks || attributes != nil ? try EyeCascade() : nil
        self.attributes = attributes
        landmarks = settings.landmarks
        selection = FaceSelection(settings)
        region = NormalizedRegion(settings.common.roi)
        minimumSize = settings.minSize
        minimumConfidence = Float(settings.confidence)
    }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        let view = FrameView(frame, region: region)
        guard !view.isEmpty else { return [] }
        let matches = try frame.withPlanes { _ throws(DetectorError) in
            let plane = view.planes[0]
            return try cascade.matches(
                in: plane.base, stride: plane.stride, width: view.width, height: view.height,
                smallest: Float(minimumSize) * Float(frame.width))
        }
        let found = matches.compactMap { match -> Detection? in
            let box = Box(
                x: match.box.x + Float(view.x), y: match.box.y + Float(view.y), width: match.box.width,
                height: match.box.height)
            guard match.confidence >= minimumConfidence,
                let visible = box.clipped(width: Float(frame.width), height: Float(frame.height))
            else { return nil }
            return Detection(box: visible, confidence: match.confidence, content: .face(Face()))
        }
        var kept = selection.keep(found, in: frame)
        unreported = found.map(\.box).filter { box in !kept.contains { $0.box == box } }
        for index in kept.indices { try lookAtEyes(of: &kept[index], in: frame) }
        try attributes?.read(&kept, in: frame)
        if !landmarks { kept.removeLandmarks() }
        return kept
    }

    /// Eyes come and go: the cascade sees an open eye in some frames.
    private func lookAtEyes(of detection: inout Detection, in frame: Frame) throws(DetectorError) {
        guard let eyes else { return }
        var face = Face(landmarks: try eyes.eyes(of: detection.box, in: frame))
        if face.landmarks.count == 2 {
            face.euler = HeadPose.roll(
                rightEye: face.landmarks[0].position, leftEye: face.landmarks[1].position
            ).map { Face.Euler(z: $0) }
        }
        detection.content = .face(face)
    }
}

extension [Detection] {
    /// Removes landmarks that only other attributes needed.
    mutating func removeLandmarks() {
        for index in indices {
            guard case .face(var face) = self[index].content else { continue }
            face.landmarks = []
            self[index].content = .face(face)
        }
    }
}
