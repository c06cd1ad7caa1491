// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Observations
import Settings
import Testing

@testable import Search

/// Photographs, and copies of them that are too dark, overexposed and blurred.
@Suite struct PictureQualityTests {
    private static let files = [
        "images/face/astronaut.png", "images/noface/chelsea.png", "images/noface/coffee.png",
        "video/store-aisle-detection.gif",
    ]

    private struct Luma {
        var (width, height): (Int, Int)
        var samples: [Float]

        init(_ frame: Frame) {
            (width, height) = (frame.width, frame.height)
            let scale: (black: Float, span: Float) = frame.colour.range == .limited ? (16, 219) : (0, 255)
            samples = frame.withPlanes { planes in
                (0..<frame.height).flatMap { y in
                    (0..<frame.width).map {
                        (Float(planes[0].base[y * planes[0].stride + $0]) - scale.black) / scale.span
                    }
                }
            }
        }

        func mapped(_ change: (Float) -> Float) -> Luma {
            var copy = self
            copy.samples = samples.map(change)
            return copy
        }

        /// Three box filters of this radius approximate a Gaussian filter whose standard deviation is about the radius.
        func blurred(_ radius: Int) -> Luma {
            var luma = self
            for _ in 0..<3 { luma = luma.boxed(radius, step: 1).boxed(radius, step: width) }
            return luma
        }

        private func boxed(_ radius: Int, step: Int) -> Luma {
            var copy = self
            let (lines, length) = step == 1 ? (height, width) : (width, height)
            for line in 0..<lines {
                let start = step == 1 ? line * width : line
                var sum: Float = 0
                func at(_ index: Int) -> Float { samples[start + min(max(0, index), length - 1) * step] }
                for index in -radius...radius { sum += at(index) }
                for index in 0..<length {
                    copy.samples[start + index * step] = sum / Float(2 * radius + 1)
                    sum += at(index + radius + 1) - at(index - radius)
                }
            }
            return copy
        }

        /// Full range, because a painter's frames have no colour: limited is assumed.
        var quality: PictureQuality? {
            var painter = FramePainter(width: width, height: height)
            painter.paint { x, y in UInt8(min(255, max(0, samples[y * width + x] * 219 + 16))) }
            return FrameView(painter.frame(1, seconds: 0)).measuredQuality()
        }
    }

    private static func picture(_ file: String) throws -> Frame {
        let source = GStreamerSource(SourceSettings(kind: .file(path: SharedData.path("media/\(file)"))))
        try source.start()
        defer { source.stop() }
        while true {
            switch source.next(timeout: .seconds(10)) {
            case .frame(let frame): return frame
            case .failed(let error): throw error
            case .nothing, .ended: throw SourceError(.unreadable, file)
            }
        }
    }

    @Test(.enabled(if: SharedData.has("media")), arguments: files)
    func eachFaultOfAPictureHasItsHint(file: String) throws {
        let luma = Luma(try Self.picture(file))
        func hint(_ luma: Luma, after current: SearchHint? = nil) throws -> SearchHint? {
            try #require(luma.quality).hint(current: current, judgesFocus: true)
        }
        // The original has normal brightness, so that the result for a copy depends only on the change.
        let mean = luma.samples.reduce(0, +) / Float(luma.samples.count)
        let usual = luma.mapped { $0 * 0.45 / mean }
        #expect(try hint(usual) == nil)
        #expect(try hint(usual.mapped { $0 * 0.25 }) == .tooDark)
        #expect(try hint(usual.mapped { 1 - (1 - $0) * 0.1 }) == .tooBright)
        #expect(try hint(usual.blurred(5)) == .blurred)
        // A better picture has no hint, whatever the hint before.
        for earlier in [SearchHint.tooDark, .tooBright, .blurred] { #expect(try hint(usual, after: earlier) == nil) }
    }

    /// Sharpness does not depend on contrast or brightness.
    @Test(.enabled(if: SharedData.has("media"))) func sharpnessOfAPictureIsNotItsContrast() throws {
        let luma = Luma(try Self.picture(Self.files[0]))
        let (strong, weak) = (try #require(luma.quality), try #require(luma.mapped { 0.3 + $0 * 0.3 }.quality))
        #expect(weak.contrast < 0.4 * strong.contrast)
        #expect(abs(weak.sharpness - strong.sharpness) < 0.1 * strong.sharpness)
    }

    @Test func picturesOfTooSmallRegionsHaveNoQuality() throws {
        var painter = FramePainter(width: 64, height: 48)
        let frame = painter.frame(1, seconds: 0)
        #expect(FrameView(frame, box: Box(x: 0, y: 0, width: 12, height: 40)).measuredQuality() == nil)
        #expect(FrameView(frame, box: Box(x: 500, y: 500, width: 90, height: 90)).measuredQuality() == nil)
        #expect(FrameView(frame, box: Box(x: -50, y: -50, width: 900, height: 900)).measuredQuality()?.contrast == 0)
        // Only the region is measured, not the picture beside it.
        painter.fill(Box(x: 0, y: 0, width: 32, height: 48), 235)
        let half = painter.frame(2, seconds: 1)
        let quality = try #require(FrameView(half, box: Box(x: 0, y: 0, width: 32, height: 48)).measuredQuality())
        #expect(quality.brightness == 1 && quality.contrast == 0)
    }
}
