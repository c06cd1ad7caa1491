// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Inference

extension FaceCrop {
    /// Calls `body` with the square as a picture of `side` times `side` pixels, sampled into `samples`.
    ///
    /// - Parameter side: even.
    func withPicture<Result>(
        of frame: Frame, side: Int, samples: inout [UInt8],
        _ body: (InferencePicture) throws(DetectorError) -> Result
    ) throws(DetectorError) -> Result? {
        samplePicture(frame, side: side, into: &samples)
        let kind = InferencePicture.Kind(
            format: frame.format == .gray8 ? .grey : .i420, colour: frame.colour, width: side, height: side)
        return try samples.withUnsafeBufferPointer { buffer throws(DetectorError) in
            guard let base = buffer.baseAddress else { return nil }
            let luma = Plane(base: base, stride: side)
            if kind.format == .grey { return try body(InferencePicture(kind, planes: luma)) }
            let blue = Plane(base: base + side * side, stride: side / 2)
            let red = Plane(base: blue.base + side * side / 4, stride: side / 2)
            return try body(InferencePicture(kind, planes: luma, blue, red))
        }
    }
}
