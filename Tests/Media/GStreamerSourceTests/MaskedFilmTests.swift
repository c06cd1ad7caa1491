// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Observations
import Settings
import Testing

/// A decoder predicts its next pictures from those that it gave. Paint in them would spread.
@Suite struct MaskedFilmTests {
    private let scope = TestScope()

    @Test(arguments: [
        ("mkv", "openh264enc ! h264parse ! matroskamux"), ("webm", "vp8enc deadline=1 ! webmmux"),
        ("mkv", "x265enc speed-preset=ultrafast ! h265parse ! matroskamux"), ("avi", "jpegenc ! avimux"),
    ])
    func paintStaysWithinTheMask(suffix: String, encoding: String) throws {
        let path = try MediaMaker.film(
            scope.path("film.\(suffix)"), frames: 30, width: 320, height: 240, pattern: "ball", encoding: encoding)
        let corners = [
            Point(x: 0.25, y: 0.25), Point(x: 0.75, y: 0.25), Point(x: 0.75, y: 0.75), Point(x: 0.25, y: 0.75),
        ]
        var masked = SourceSettings(kind: .file(path: path))
        masked.masks = [Mask(name: "middle", polygon: corners)]
        let (plain, painted) = (FrameReader(SourceSettings(kind: .file(path: path))), FrameReader(masked))
        #expect(plain.frames.count == 30 && painted.frames.count == 30)
        for (before, after) in zip(plain.frames, painted.frames) {
            let (outside, inside) = (before.luma(within: false), before.luma(within: true))
            #expect(after.luma(within: false) == outside, "frame \(before.info.sequence)")
            #expect(after.luma(within: true) == inside.map { _ in FrameMask.grey })
            #expect(!inside.allSatisfy { $0 == FrameMask.grey })
        }
    }
}

extension Frame {
    /// The luma of the middle, half as wide and high as the picture, or of what lies outside it by more than 2 pixels.
    fileprivate func luma(within: Bool) -> [UInt8] {
        withPlanes { planes in
            var samples: [UInt8] = []
            for y in 0..<info.height {
                for x in 0..<info.width {
                    let distance = max(
                        abs(x - info.width / 2) - info.width / 4, abs(y - info.height / 2) - info.height / 4)
                    if within ? distance < -2 : distance > 2 {
                        samples.append(planes[0].base[y * planes[0].stride + x])
                    }
                }
            }
            return samples
        }
    }
}
