// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Frames
import Observations

/// Rates how good a picture of a track a frame is.
package enum PictureScore {
    /// The weights of the parts. An unknown part leaves its weight to the others.
    static let weights = (sharpness: Float(0.4), size: Float(0.2), frontality: Float(0.2), confidence: Float(0.2))
    /// The share of the frame's area from which on a box counts as large.
    static let largeEnough: Float = 0.25

    /// The score, 0...1, is the weighted mean of these parts:
    /// - sharpness of the box, as `Sharpness.ratio`;
    /// - size: the square root of the box's share of the frame's area divided by 0.25, at most 1;
    /// - frontality: cos yaw * cos pitch, for faces with known angles;
    /// - confidence of the detection.
    ///
    /// The weights are this project's choice: blur spoils a picture most, and varies most between frames.
    package static func score(
        sharpness: Float, area: Float, euler: Face.Euler? = nil, confidence: Float? = nil
    ) -> Float {
        var (sum, total): (Float, Float) = (0, 0)
        func add(_ value: Float?, _ weight: Float) {
            guard let value, value.isFinite else { return }
            sum += weight * min(1, max(0, value))
            total += weight
        }
        add(Sharpness.ratio(max(0, sharpness)), weights.sharpness)
        add((max(0, area) / largeEnough).squareRoot(), weights.size)
        add(euler.flatMap(frontality), weights.frontality)
        add(confidence, weights.confidence)
        return total > 0 ? sum / total : 0
    }

    /// nil if no angle is known.
    private static func frontality(_ euler: Face.Euler) -> Float? {
        guard euler.x != nil || euler.y != nil else { return nil }
        return cosine(degrees: euler.x ?? 0) * cosine(degrees: euler.y ?? 0)
    }

    private static func cosine(degrees: Float) -> Float { max(0, cosf(degrees * .pi / 180)) }
}

extension PictureScore {
    /// The score of a live track in its frame.
    static func score(_ track: Track, in frame: Frame) -> Float {
        let whole = Float(frame.width * frame.height)
        let box = track.box.clipped(width: Float(frame.width), height: Float(frame.height))
        let view = SnapshotRules.Region.crop(margin: 0).view(of: track.box, in: frame)
        var euler: Face.Euler?
        if case .face(let face) = track.detection.content { euler = face.euler }
        return score(
            sharpness: view.map(Sharpness.laplacianVariance) ?? 0, area: (box?.area ?? 0) / whole, euler: euler,
            confidence: track.detection.confidence)
    }
}
