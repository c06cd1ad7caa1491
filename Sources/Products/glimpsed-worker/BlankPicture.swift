// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations

/// A grey picture for trying a detector.
enum BlankPicture {
    private static let (width, height) = (640, 480)

    static var frame: Frame {
        let samples = Samples(count: width * height)
        let info = FrameInfo(
            sequence: 1, presentationTime: 0, time: .epoch, clock: .file, width: width, height: height)
        return Frame(
            info: info, format: .gray8, planes: [Plane(base: UnsafePointer(samples.base), stride: width)],
            storage: samples)
    }

    private final class Samples {
        let base: UnsafeMutablePointer<UInt8>

        init(count: Int) {
            base = .allocate(capacity: count)
            base.initialize(repeating: 128, count: count)
        }

        deinit { base.deallocate() }
    }
}
