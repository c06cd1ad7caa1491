// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Settings
import Testing

/// Detectors receive NV12, I420 or GRAY8 with the right pixels from any source.
@Suite struct PixelFormatTests {
    private let scope = TestScope()

    private static let formats = [
        "NV12", "NV21", "I420", "YV12", "YUY2", "UYVY", "YVYU", "Y41B", "Y42B", "Y444", "AYUV", "BGRx", "RGBx", "xRGB",
        "RGB",
        "BGR", "RGBA", "ARGB", "RGB16", "GRAY8", "GRAY16_LE", "GRAY16_BE", "I420_10LE", "P010_10LE", "I422_10LE",
        "Y444_12LE",
        "v210", "NV16", "NV24", "ARGB64", "GBR",
    ]
    /// Widths that are not a multiple of four, and the smallest pictures.
    private static let sizes = [(64, 48), (641, 481), (3, 5), (1, 1), (322, 2)]

    private static let rgb: Set = [
        "BGRx", "RGBx", "xRGB", "RGB", "BGR", "RGBA", "ARGB", "RGB16", "ARGB64", "GBR",
    ]

    /// A red picture's luma is 81 of 16...235 by BT.601, or 63 by BT.709 (HD sizes, which no size here is). RGB becomes
    /// full range: 76.
    @Test(arguments: formats)
    func everyPixelFormatKeepsItsColour(format: String) throws {
        for (width, height) in Self.sizes {
            let read = FrameReader(
                launch: "videotestsrc pattern=red ! video/x-raw,format=\(format),width=\(width),height=\(height)",
                most: 1)
            let frame = try #require(
                read.frames.first, "\(format) \(width)x\(height): \(String(describing: read.error))")
            #expect([frame.width, frame.height] == [width, height])
            let luma = frame.meanLuma()
            if format.hasPrefix("GRAY") {
                #expect((60...90).contains(luma), "\(format) \(width)x\(height)")
            } else {
                let isRGB = Self.rgb.contains(format)
                #expect(abs(luma - (isRGB ? 76 : 81)) <= 4, "\(format) \(width)x\(height): \(luma)")
                #expect(frame.colour == PictureColour(range: isRGB ? .full : .limited))
                // Packed 4:2:2 has no chroma of its own for a last odd column.
                guard width > 3 else { continue }
                let chroma = try #require(frame.chroma(0, 0))
                let (blue, red) = isRGB ? (85, 255) : (90, 240)
                #expect(abs(chroma.blue - blue) <= 6 && abs(chroma.red - red) <= 6, "\(format): \(chroma)")
            }
        }
    }

    /// The left half is black and the right half is white, at every row and near every edge. A wrong stride would slant
    /// the border.
    @Test(
        arguments: ["I420", "NV12", "YUY2", "RGB", "GRAY8"], [(641, 481), (322, 242), (66, 50), (8192, 64), (13, 7)])
    func rowsOfEveryPixelFormatAreAligned(format: String, size: (width: Int, height: Int)) throws {
        let (width, height) = size
        let half = width / 2
        let read = FrameReader(
            launch: "videotestsrc pattern=black ! video/x-raw,width=\(half),height=\(height)"
                + " ! videobox fill=white right=-\(width - half)"
                + " ! videoconvert ! video/x-raw,format=\(format),width=\(width),height=\(height)", most: 1)
        let frame = try #require(read.frames.first, "\(String(describing: read.error))")
        for row in [0, height / 2, height - 1] {
            #expect(frame.luma(0, row) < 40 && frame.luma(max(0, half - 3), row) < 40)
            #expect(frame.luma(min(width - 1, half + 3), row) > 200 && frame.luma(width - 1, row) > 200)
        }
    }

    /// H.264 codes whole macroblocks of 16 x 16; libav's decoder gives padded rows and a crop.
    @Test func paddedRowsOfADecoder() throws {
        let path = try MediaMaker.film(
            scope.path("film.mkv"), frames: 3, width: 322, height: 182, pattern: "white",
            encoding: "x265enc speed-preset=ultrafast ! h265parse ! matroskamux")
        let read = FrameReader(SourceSettings(kind: .file(path: path)))
        #expect(read.infos.map { [$0.width, $0.height] } == [[322, 182], [322, 182], [322, 182]])
        #expect(read.frames.allSatisfy { $0.luma(321, 181) > 225 && $0.luma(0, 0) > 225 && $0.luma(321, 0) > 225 })
    }

    /// The planes are the pipeline's own, without a copy.
    @Test func rowsMayBeLongerThanThePicture() throws {
        let read = FrameReader(
            launch: "videotestsrc pattern=white ! video/x-raw,format=I420,width=641,height=481", most: 1)
        let frame = try #require(read.frames.first)
        #expect(frame.format == .i420 && frame.planes.map(\.stride) == [644, 324, 324])
    }

    @Test func capsThatChangeInTheStream() throws {
        let parts = [("I420", 64, 48), ("RGB", 33, 21), ("GRAY8", 100, 10), ("NV12", 64, 48)]
        let source =
            "concat name=c"
            + parts.map {
                " videotestsrc num-buffers=3 pattern=white ! video/x-raw,format=\($0.0),width=\($0.1),height=\($0.2) ! c."
            }
            .joined() + " c."
        let settings = SourceSettings(kind: .launch(source))
        // The launch text ends, which is a failure for a live source. The frames before the end count.
        let read = FrameReader(settings)
        #expect(read.error?.description == "launch: the stream ended, though it should go on for ever")
        #expect(!read.frames.isEmpty)
        for frame in read.frames {
            let part = parts[Int((frame.info.sequence - 1) / 3)]
            #expect([frame.width, frame.height] == [part.1, part.2])
            #expect(frame.meanLuma() > 225)
            #expect(frame.colour.range == (["RGB", "GRAY8"].contains(part.0) ? .full : .limited), "\(part)")
        }
    }
}
