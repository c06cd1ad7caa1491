// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Settings
import Testing

/// Bad input gives one clear error, soon.
@Suite struct GarbageTests {
    private let scope = TestScope()

    private func failure(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) -> SourceError? {
        let read = FrameReader(SourceSettings(kind: .file(path: path)))
        #expect(!read.isOverdue, "\(path)", sourceLocation: sourceLocation)
        return read.error
    }

    @Test func aMissingSourceFileIsAnError() {
        #expect(
            failure(scope.path("x.mkv")) == SourceError(.missing, "\(scope.path("x.mkv")): No such file or directory"))
    }

    @Test func aFolderAsSourceFileIsAnError() {
        #expect(failure(scope.folder) == SourceError(.unreadable, "\(scope.folder): is a folder, not a file"))
    }

    @Test func anEmptySourceFileIsAnError() {
        let path = scope.write("x.mkv", "")
        #expect(failure(path) == SourceError(.unreadable, "\(path): the file is empty"))
    }

    @Test func aTextAsSourceFileIsAnError() {
        let path = scope.write("x.mp4", "This is no film at all.\n")
        #expect(failure(path)?.kind == .unreadable)
    }

    @Test(arguments: ["wavenc", "vorbisenc ! oggmux", "opusenc ! matroskamux", "flacenc"])
    func aSourceFileWithSoundOnlyIsAnError(encoding: String) throws {
        let path = scope.path("sound")
        try MediaMaker.run("audiotestsrc num-buffers=30 ! audioconvert ! \(encoding) ! filesink location=\(path)")
        #expect(failure(path) == SourceError(.unreadable, "\(path): has no video in it"))
    }

    @Test(arguments: Fuzz.rounds(24))
    func aSourceFileOfRandomBytesIsAnError(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let heads: [[UInt8]] = [
            [], [0x1a, 0x45, 0xdf, 0xa3], [0xff, 0xd8, 0xff, 0xe0], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
            Array("RIFF\0\0\0\0AVI LIST".utf8), [0, 0, 0, 0x18] + Array("ftypisom".utf8), Array("GIF89a".utf8),
            Array("BM".utf8),
        ]
        let bytes = heads[seed % heads.count] + (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let path = scope.path("random")
        try TestFile.write(bytes, to: path)
        let error = try #require(failure(path))
        #expect(error.description.hasPrefix(path) && !error.description.contains("\n"))
    }

    @Test(arguments: [
        ("mkv", "openh264enc ! h264parse ! matroskamux"), ("mp4", "openh264enc ! h264parse ! mp4mux"),
        ("avi", "jpegenc ! avimux"), ("jpg", "jpegenc snapshot=true"), ("png", "videoconvert ! pngenc snapshot=true"),
        ("webp", "webpenc"),
    ])
    func aTruncatedSourceFileGivesFramesOrAnError(suffix: String, encoding: String) throws {
        let frames = ["jpg", "png", "webp"].contains(suffix) ? 1 : 20
        let whole = try TestFile.read(
            MediaMaker.film(scope.path("whole"), frames: frames, pattern: "snow", encoding: encoding))
        #expect(whole.count > 1000)
        for percent in [0.1, 1, 2, 5, 10, 25, 50, 75, 90, 99, 99.9] {
            let path = scope.path("cut.\(suffix)")
            try TestFile.write(whole.prefix(max(1, Int(Double(whole.count) * percent / 100))), to: path)
            let read = FrameReader(SourceSettings(kind: .file(path: path)))
            #expect(!read.isOverdue, "\(percent) %")
            // Readable pictures are shown. An error reports a file without one.
            #expect(read.error?.description.hasPrefix(path) ?? !read.frames.isEmpty, "\(percent) %")
        }
    }

    @Test func unusableCamerasAreErrors() {
        func error(_ device: String) -> SourceError? { FrameReader(SourceSettings(kind: .v4l2(device: device))).error }
        #expect(error("/dev/video97") == SourceError(.missing, "/dev/video97: No such file or directory"))
        #expect(error("/etc/hostname") == SourceError(.unreadable, "/etc/hostname: is not a camera device"))
        #expect(error("/dev/null")?.description.hasPrefix("/dev/null: ") == true)
    }

    @Test func aSourceAtAClosedPortIsAnError() {
        let error = FrameReader(SourceSettings(kind: .rtsp(RTSPSettings(url: "rtsp://127.0.0.1:9/x")))).error
        #expect(error?.kind == .failed)
        #expect(error?.description.hasSuffix("; check that the camera is switched on and the address is right") == true)
    }

    @Test(arguments: [
        (
            "nosuchelement ! videoconvert", SourceError.Kind.notInstalled,
            "no element \"nosuchelement\"; find its package with: apt-cache search gstreamer1.0"
        ),
        (
            "videotestsrc ! avdec_nosuch", .notInstalled,
            "no element \"avdec_nosuch\"; apt-get install gstreamer1.0-libav"
        ),
        (
            "videotestsrc ! x264encoder ! mpeg2dec", .notInstalled,
            "no element \"x264encoder\"; find its package with: apt-cache search gstreamer1.0"
        ),
        (
            "videotestsrc ! appsink", .misconfigured,
            "the text must end in raw video, without a sink: could not link appsink"
        ),
        (
            "videotestsrc ! appsink videotestsrc", .misconfigured,
            "remove the appsink: the text must end in raw video, and Glimpse adds its own"
        ),
        (
            "videotestsrc ! fakesink", .misconfigured,
            "the text must end in raw video, without a sink: could not link fakesink"
        ),
        (
            "videotestsrc ! tee name=t t. ! queue t. ! queue", .misconfigured,
            "the output of queue is not linked; every branch but the last must end in a sink"
        ),
        (
            "videotestsrc videoconvert", .misconfigured,
            "the output of videotestsrc is not linked; every branch but the last must end in a sink"
        ),
        ("videoconvert", .misconfigured, "nothing in the text is a source"),
        ("videotestsrc ! ! queue", .misconfigured, "syntax error"),
        ("videotestsrc foo=1", .misconfigured, "no property \"foo\" in element \"videotestsrc\""),
        ("audiotestsrc", .misconfigured, "does not end in raw video"),
        ("a. ! videoconvert", .misconfigured, "No src-element named \"a\" - omitting link"),
        ("filesrc location=/nowhere/film.mkv ! decodebin", .missing, "Resource not found (filesrc)"),
        (
            "filesrc name=film location=/nowhere/film.mkv ! decodebin", .missing,
            "Resource not found (filesrc film)"
        ),
        (
            "videotestsrc name=camera ! video/x-raw,width=320 ! jpegenc ! jpegdec ! video/x-raw,width=640",
            .misconfigured,
            "videotestsrc camera: it has no pictures of the requested width, height, rate or format"
        ),
    ])
    func unusableLaunchTextsAreErrors(text: String, kind: SourceError.Kind, problem: String) {
        let error = FrameReader(launch: text).error
        #expect(error?.kind == kind)
        #expect(error?.description.hasPrefix("launch: \(problem)") == true, "\(String(describing: error))")
    }

    @Test func aFileOfThatNameIsNoAppsink() throws {
        let path = try MediaMaker.film(scope.path("appsink.avi"), frames: 3, encoding: "jpegenc ! avimux")
        #expect(!FrameReader(launch: "filesrc location=\(path) ! decodebin").frames.isEmpty)
    }
}
