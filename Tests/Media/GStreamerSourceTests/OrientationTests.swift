// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Settings
import Testing

/// Turned pictures are made upright, by the configuration or by a tag.
@Suite struct OrientationTests {
    private let scope = TestScope()

    /// Corners of an upright picture, clockwise from the top left.
    private enum Corner: Int { case topLeft, topRight, bottomRight, bottomLeft }

    /// A picture of 64 x 32 whose top left 16 x 8 is white.
    private func film(_ path: String, _ encoding: String) throws {
        try MediaMaker.run(
            "compositor name=c background=black sink_1::zorder=2 ! video/x-raw,format=I420,width=64,height=32 ! \(encoding)"
                + " ! filesink location=\(path)"
                + " videotestsrc pattern=black num-buffers=3 ! video/x-raw,width=64,height=32,framerate=10/1 ! c.sink_0"
                + " videotestsrc pattern=white num-buffers=3 ! video/x-raw,width=16,height=8,framerate=10/1 ! c.sink_1")
    }

    private func brightCorner(_ frame: Frame) -> Corner? {
        let bright = [
            frame.meanLuma(0...0.2, 0...0.2), frame.meanLuma(0.8...1, 0...0.2), frame.meanLuma(0.8...1, 0.8...1),
            frame.meanLuma(0...0.2, 0.8...1),
        ].map { $0 > 128 }
        guard bright.count(where: { $0 }) == 1 else { return nil }
        return bright.firstIndex(of: true).flatMap(Corner.init)
    }

    private func check(
        _ settings: SourceSettings, _ rotation: Int, _ mirrored: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let read = FrameReader(settings, most: 3)
        #expect(read.error == nil, sourceLocation: sourceLocation)
        // Turned clockwise by quarters, the top left goes to the next corner; the mirror swaps left and right.
        var corner = rotation / 90
        if mirrored { corner = [1, 0, 3, 2][corner] }
        #expect(!read.frames.isEmpty, sourceLocation: sourceLocation)
        for frame in read.frames {
            let isTurned = rotation % 180 != 0
            #expect([frame.width, frame.height] == (isTurned ? [32, 64] : [64, 32]), sourceLocation: sourceLocation)
            #expect(brightCorner(frame)?.rawValue == corner, sourceLocation: sourceLocation)
            #expect(frame.info.rotation == rotation && frame.info.mirrored == mirrored, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: RotationSetting.Degrees.allCases, [false, true])
    func theConfiguredOrientationTurnsFrames(degrees: RotationSetting.Degrees, mirror: Bool) throws {
        let path = scope.path("film.avi")
        try film(path, "jpegenc ! avimux")
        check(
            SourceSettings(kind: .file(path: path), rotation: .fixed(degrees), mirror: mirror), degrees.rawValue, mirror
        )
    }

    /// EXIF 2.32, tag 0x0112: how rows and columns stand; here as the turn that makes them upright.
    @Test(arguments: [
        (1, 0, false), (2, 0, true), (3, 180, false), (4, 180, true), (5, 90, true), (6, 90, false), (7, 270, true),
        (8, 270, false),
    ])
    func theOrientationTagOfAPictureTurnsFrames(orientation: Int, rotation: Int, mirrored: Bool) throws {
        let plain = scope.path("plain.jpg")
        try film(plain, "identity eos-after=2 ! jpegenc")
        let tagged = scope.path("tagged.jpg")
        try TestFile.write(ExifOrientation.insert(orientation, into: TestFile.read(plain)), to: tagged)
        check(SourceSettings(kind: .file(path: tagged)), rotation, mirrored)
        check(SourceSettings(kind: .file(path: tagged), mirror: true), rotation, !mirrored)
        // The configuration takes precedence over the tag.
        check(SourceSettings(kind: .file(path: tagged), rotation: .fixed(.ninety)), 90, false)
    }

    @Test(arguments: [0, 90, 180, 270])
    func theOrientationTagOfAFilmTurnsFrames(rotation: Int) throws {
        let path = scope.path("film.mp4")
        try film(path, "openh264enc ! h264parse ! mp4mux")
        try TestFile.write(TrackMatrix.turn(rotation, TestFile.read(path)), to: path)
        check(SourceSettings(kind: .file(path: path)), rotation, false)
        check(SourceSettings(kind: .file(path: path), mirror: true), rotation, true)
    }

    /// The tag belongs to the pictures after it, not to the waiting ones before it. Time decides which of them a live
    /// reader gets.
    @Test func orientationTagsMayChangeInTheStream() throws {
        let part =
            "videotestsrc num-buffers=4 ! video/x-raw,width=64,height=32,framerate=30/1 ! identity sleep-time=5000"
        let read = FrameReader(
            launch: "concat name=c \(part) ! taginject tags=image-orientation=rotate-90 ! c. \(part) ! c."
                + " \(part) ! taginject tags=image-orientation=flip-rotate-0 ! c. c.")
        #expect(!read.infos.isEmpty && read.infos.allSatisfy { (1...12).contains($0.sequence) })
        for info in read.infos {
            let turned = [info.width, info.height, info.rotation, info.mirrored ? 1 : 0]
            #expect(turned == [[32, 64, 90, 0], [64, 32, 0, 0], [64, 32, 0, 1]][Int(info.sequence - 1) / 4])
        }
    }
}

/// Turns the pictures of an MP4 film by its track header's matrix (ISO 14496-12, 8.3.2), as telephones do.
enum TrackMatrix {
    static func turn(_ degrees: Int, _ film: [UInt8]) -> [UInt8] {
        // a, b, u, c, d, v of the matrix in 16.16 fixed point.
        let (one, minus, zero): ([UInt8], [UInt8], [UInt8]) = ([0, 1, 0, 0], [0xff, 0xff, 0, 0], [0, 0, 0, 0])
        let rows: [[UInt8]] =
            switch degrees {
            case 90: [zero, one, zero, minus, zero, zero]
            case 180: [minus, zero, zero, zero, minus, zero]
            case 270: [zero, minus, zero, one, zero, zero]
            default: [one, zero, zero, zero, one, zero]
            }
        var film = film
        guard let box = film.firstRange(of: Array("tkhd".utf8)) else { return film }
        let start = box.upperBound + 40
        film.replaceSubrange(start..<(start + 24), with: rows.joined())
        return film
    }
}
