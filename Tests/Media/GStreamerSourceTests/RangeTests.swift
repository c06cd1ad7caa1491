// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import PictureEncoding
import PictureRelease
import Settings
import Testing

/// The luma plane of a frame has all 256 grey levels of the picture, from any file or camera.
@Suite struct RangeTests {
    private static let (width, height) = (256, 64)
    private let scope = TestScope()

    /// Four bands of ramps: grey, red, green, blue.
    private static func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let level = UInt8(x)
        return [[level, level, level], [level, 0, 0], [0, level, 0], [0, 0, level]][y / 16]
    }

    /// BT.601, as JPEG and every conversion to grey have it.
    private static func luma(_ pixel: [UInt8]) -> Double {
        0.299 * Double(pixel[0]) + 0.587 * Double(pixel[1]) + 0.114 * Double(pixel[2])
    }

    private static var coloured: [UInt8] {
        Array("P6\n\(width) \(height)\n255\n".utf8)
            + (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
    }

    private static var grey: [UInt8] {
        Array("P5\n\(width) \(height)\n255\n".utf8)
            + (0..<height).flatMap { y in (0..<width).map { x in UInt8(luma(pixel(x, y)).rounded()) } }
    }

    /// Compares the luma of the frame with the picture, away from the borders between bands.
    private func check(_ frame: Frame, tolerance: Double, _ name: String) {
        #expect([frame.width, frame.height] == [Self.width, Self.height])
        #expect(frame.colour == PictureColour(matrix: .bt601, range: .full), "\(name)")
        var (largest, sum) = (0.0, 0.0)
        let rows = (0..<Self.height).filter { (4..<12).contains($0 % 16) }
        for y in rows {
            for x in 0..<Self.width {
                let difference = abs(Double(frame.luma(x, y)) - Self.luma(Self.pixel(x, y)))
                largest = max(largest, difference)
                sum += difference
            }
        }
        #expect(largest <= tolerance, "\(name): off by \(largest)")
        #expect(sum / Double(rows.count * Self.width) <= tolerance / 2, "\(name)")
    }

    private func frame(_ kind: SourceKind) throws -> Frame {
        let read = FrameReader(SourceSettings(kind: kind), most: 1)
        return try #require(read.frames.first, "\(String(describing: read.error))")
    }

    @Test(arguments: [
        ("png", "pngenc", 1.5), ("webp", "webpenc lossless=true", 1.5), ("jpg", "jpegenc quality=100", 3),
        ("ppm", "pnmenc", 1.5),
    ])
    func colourRangeOfStillPictures(suffix: String, encoder: String, tolerance: Double) throws {
        for (name, bytes) in [("coloured.ppm", Self.coloured), ("grey.pgm", Self.grey)] {
            let raw = scope.write(name, bytes: bytes)
            let path = scope.path("\(name).\(suffix)")
            // The lossless WebP encoder takes colours only.
            let colours = suffix == "webp" ? "videoconvert ! video/x-raw,format=RGB ! " : ""
            try MediaMaker.run("filesrc location=\(raw) ! pnmdec ! \(colours)\(encoder) ! filesink location=\(path)")
            check(try frame(.images(path: path)), tolerance: tolerance, path)
        }
    }

    @Test func colourRangeOfMotionJPEG() throws {
        let (raw, path) = (scope.write("p.ppm", bytes: Self.coloured), scope.path("film.avi"))
        try MediaMaker.run(
            "filesrc location=\(raw) ! pnmdec ! imagefreeze num-buffers=3 ! jpegenc quality=100 ! avimux ! filesink location=\(path)"
        )
        let film = FrameReader(SourceSettings(kind: .file(path: path)))
        #expect(film.frames.count == 3)
        for frame in film.frames { check(frame, tolerance: 3, path) }
    }

    /// Pictures in the form of a camera's.
    @Test(arguments: ["RGB", "BGR", "BGRx", "ARGB", "GBR", "GRAY8"])
    func colourRangeOfRawPictures(format: String) throws {
        let raw = scope.write("p.pnm", bytes: format == "GRAY8" ? Self.grey : Self.coloured)
        let text =
            "filesrc location=\(raw) ! pnmdec ! videoconvert ! video/x-raw,format=\(format) ! imagefreeze is-live=true"
        check(try frame(.launch(text)), tolerance: 1.5, format)
        guard ["RGB", "BGR", "BGRx", "GRAY8"].contains(format) else { return }
        check(try frame(.launch(text + " ! jpegenc quality=100 ! jpegdec idct-method=islow")), tolerance: 3, format)
    }

    /// A picture that is saved from such a frame has equal grey levels.
    @Test func colourRangeOfAKeptPicture() throws {
        let raw = scope.write("p.ppm", bytes: Self.coloured)
        let released = try #require(PictureRelease(CoverRules()).releaseAtOnce(try frame(.images(path: raw))))
        let kept = try PictureEncoder.encode(
            released, PictureEncoder.Form(quality: 100))
        check(try frame(.images(path: scope.write("kept.jpg", bytes: kept.bytes))), tolerance: 4, "kept")
    }

    /// The planes are the camera's own, with the camera's matrix and range. No conversion takes place.
    @Test(arguments: [
        ("2:4:5:4", PictureColour(matrix: .bt601, range: .limited)),
        ("1:3:5:1", PictureColour(matrix: .bt709, range: .full)),
        ("2:3:5:1", PictureColour(matrix: .bt709, range: .limited)),
    ])
    func colourRangeOfUnconvertedFrames(colorimetry: String, colour: PictureColour) throws {
        for format in ["I420", "NV12", "YUY2", "Y42B"] {
            let read = FrameReader(
                launch:
                    "videotestsrc pattern=white ! video/x-raw,format=\(format),width=64,height=48,colorimetry=\(colorimetry)",
                most: 1)
            let frame = try #require(read.frames.first, "\(String(describing: read.error))")
            #expect(frame.colour == colour, "\(format)")
            // videotestsrc paints for limited range, whatever its caps say.
            #expect(abs(frame.luma(32, 24) - 235) <= 1, "\(format)")
        }
    }
}
