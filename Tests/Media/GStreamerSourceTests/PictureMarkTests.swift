// SPDX-License-Identifier: Apache-2.0
@testable import GStreamerSource
import Testing

@Suite struct PictureMarkTests {
    @Test(arguments: [nil, Duration.zero, .microseconds(1), .milliseconds(40), .seconds(4000)])
    func aBuffersMarkReadsBackEqual(time: Duration?) {
        for rotation in [0, 90, 180, 270] {
            for isMirrored in [false, true] {
                let mark = PictureMark(Orientation(rotation: rotation, mirrored: isMirrored), decodeTime: time)
                #expect(PictureMark(bits: mark.bits) == mark)
            }
        }
    }

    @Test func aMarkThatDoesNotFitIsCut() {
        let mark = PictureMark(Orientation(), decodeTime: .seconds(1_000_000))
        #expect(PictureMark(bits: mark.bits).decodeTime == .seconds(4000))
        #expect(PictureMark(bits: .max).orientation.rotation < 360)
    }
}
