// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Inference
import Observations

#if canImport(Glibc)
    import Glibc
#endif

/// A second look of YuNet at one face that the whole picture showed reduced, for its points. The look has 144 network
/// pixels, or the face's own if it has fewer. Used by one thread.
///
/// Upright faces get the mean of both looks, whose errors are independent. Measured on the shared portraits, over
/// shifts and sizes of the first look: YuNet N's worst point is off by 9 % of the eye distance. Before, it was off by
/// 11 % (14 % for other sizes of the first look).
///
/// Faces that lean are looked at level. The first look turns its points too little, so it does not count. For pictures
/// turned by 30 degrees the worst point is off by 12 % instead of 33 %.
final class CloserLook {
    /// More pixels are no better, and fewer are worse: `docs/performance/faces.md`.
    private static let faceWidth: Float = 144
    /// The sides of the square around the face, in pixels. For points it is 2.4 times the face's width. For the pose
    /// alone it is 1.6 times the width, which has two fifths of the pixels.
    private static let sides = (points: 352, pose: 224)
    /// How much more a face must have than in the first look. Little will do: what is reduced by a few percent is
    /// blurred unevenly.
    private static let leastGain: Float = 1.05
    /// Degrees of the first look's eyes, which show two thirds of the face's.
    private static let leaning: Float = 7

    private let model: InferenceModel
    private let decoder: YuNetDecoder
    private let side: Int
    private var samples: [UInt8] = []
    private var found: [FaceCandidate] = []

    /// - Parameters:
    ///   - options: those of the first look.
    ///   - isForPoints: whether points are refined; false: poses alone are wanted.
    init(_ options: InferenceOptions, decoder: YuNetDecoder, isForPoints: Bool) throws(DetectorError) {
        side = isForPoints ? Self.sides.points : Self.sides.pose
        var options = options
        (options.input.width, options.input.height, options.input.resize) = (side, side, .stretch)
        model = try InferenceModel(options)
        self.decoder = decoder
    }

    /// Whether there is more to see than in a look of `scale` network pixels per pixel, for faces of any size.
    static func isWorthwhile(after scale: Float) -> Bool { scale * leastGain <= 1 }

    /// See `Detector.rest`.
    func rest() { model.rest() }

    /// Betters the points of a face.
    ///
    /// - Parameters:
    ///   - face: in pixels of the frame.
    ///   - scale: of the look that it is from, network pixels per pixel.
    /// - Returns: the scale of this look; nil: it would not be closer, or does not show the face.
    func refine(_ face: inout FaceCandidate, after scale: Float, in frame: Frame) throws(DetectorError) -> Float? {
        let closer = min(1, Self.faceWidth / face.box.width)
        guard closer >= Self.leastGain * scale else { return nil }
        let roll = Self.roll(of: face.points)
        guard let points = try look(at: face.box, closer, roll: roll, in: frame) else { return nil }
        for index in face.points.indices {
            let (first, second) = (face.points[index], points[index])
            face.points[index] =
                roll == 0 ? Point(x: (first.x + second.x) / 2, y: (first.y + second.y) / 2) : second
        }
        return closer
    }

    /// The points of a face of which the first look shows too little to be worth anything: upright, and again level
    /// where it leans.
    ///
    /// - Returns: nil: the look does not show the face.
    func points(of box: Box, in frame: Frame) throws(DetectorError) -> [5 of Point]? {
        let closer = min(1, Self.faceWidth / box.width)
        guard let points = try look(at: box, closer, roll: 0, in: frame) else { return nil }
        let roll = Self.roll(of: points)
        return roll == 0 ? points : try look(at: box, closer, roll: roll, in: frame) ?? points
    }

    /// The points of the face at `box`.
    ///
    /// - Parameters:
    ///   - closer: network pixels per pixel of the frame.
    ///   - roll: radians, clockwise; the face is looked at level.
    private func look(at box: Box, _ closer: Float, roll: Float, in frame: Frame) throws(DetectorError) -> [5 of Point]?
    {
        let square = Float(side) / closer
        let middle = roll == 0 ? inside(frame, box.center, square, isWhole: closer == 1) : box.center
        let crop = FaceCrop(middle: middle, side: square, roll: roll)
        let model = model
        guard
            try crop.withPicture(
                of: frame, side: side, samples: &samples,
                { picture throws(DetectorError) in try model.infer(picture) }) != nil
        else { return nil }
        try decoder.decode(model.tensors, width: side, height: side, into: &found)
        let expected = Box(
            x: Float(side) / 2 + (box.center.x - middle.x - box.width / 2) * closer,
            y: Float(side) / 2 + (box.center.y - middle.y - box.height / 2) * closer,
            width: box.width * closer, height: box.height * closer)
        let best = found.max { $0.box.intersectionOverUnion(expected) < $1.box.intersectionOverUnion(expected) }
        guard let best, best.box.intersectionOverUnion(expected) > YuNetDecoder.maximumOverlap else { return nil }
        return [5 of Point] { index in
            let seen = best.points[index]
            return crop.point(seen.x / Float(side), seen.y / Float(side))
        }
    }

    /// By its eyes, radians, clockwise; 0 for a face that hardly leans.
    private static func roll(of points: [5 of Point]) -> Float {
        let (right, left) = (points[0], points[1])
        let roll = atan2(left.y - right.y, left.x - right.x)
        return abs(roll) >= leaning * .pi / 180 ? roll : 0
    }

    /// The middle of a square that lies in the frame, where it can; on whole pixels, so that nothing is resampled that
    /// is not resized.
    private func inside(_ frame: Frame, _ middle: Point, _ side: Float, isWhole: Bool) -> Point {
        func place(_ value: Float, _ length: Int) -> Float {
            let moved =
                side <= Float(length) ? min(max(value, side / 2), Float(length) - side / 2) : value
            return isWhole ? moved.rounded() : moved
        }
        return Point(x: place(middle.x, frame.width), y: place(middle.y, frame.height))
    }
}
