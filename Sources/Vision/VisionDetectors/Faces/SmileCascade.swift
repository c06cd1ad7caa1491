// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations

#if canImport(Glibc)
    import Glibc
#endif

/// Smiles, by OpenCV's cascade: it takes many mouths for one, so the measure is how many of its windows agree. Used by
/// one thread.
final class SmileCascade {
    static let file = "haarcascade_smile.xml"
    private static let side = 128
    /// The lower part of the square, in sides of it.
    private static let mouth = Box(x: 0.15, y: 0.58, width: 0.7, height: 0.42)
    /// Windows at which a smile is as likely as not, and how many more make it e times likelier. On the project's
    /// pictures smiling faces have 55 to 128 (two people, six pictures), others up to 39 (254 frames of four people).
    private static let even: Float = 47
    private static let slope: Float = 6

    private let cascade: CascadeClassifier
    private var samples: [UInt8] = []

    init() throws(DetectorError) {
        cascade = try CascadeClassifier(Self.file, width: Self.side, step: 1.1, capacity: 8)
    }

    /// The probability of a smile, 0...1.
    func smiling(in crop: FaceCrop, of frame: Frame) throws(DetectorError) -> Float {
        let columns = crop.sampleLuma(frame, side: Self.side, part: Self.mouth, into: &samples)
        let windows = try samples.withUnsafeBufferPointer { buffer throws(DetectorError) -> Int in
            guard let base = buffer.baseAddress else { return 0 }
            return try cascade.matches(
                in: base, stride: columns, width: columns, height: buffer.count / columns,
                smallest: 0.2 * Float(Self.side)
            ).first?.windows ?? 0
        }
        return 1 / (1 + exp(-(Float(windows) - Self.even) / Self.slope))
    }
}
