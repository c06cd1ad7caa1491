// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Observations
import Settings
import Testing

/// Unusual but valid sources, and sources that fail late.
@Suite struct OddSourceTests {
    private let scope = TestScope()

    @Test func aSourceGivesFramesOf8K() throws {
        let film = try MediaMaker.film(
            scope.path("8k.mkv"), frames: 2, width: 7680, height: 4320, encoding: "jpegenc ! matroskamux")
        let read = FrameReader(SourceSettings(kind: .file(path: film)))
        #expect(read.error == nil)
        #expect(read.infos.map(\.width) == [7680, 7680] && read.infos.map(\.height) == [4320, 4320])
    }

    @Test(arguments: [("1/1", 1_000_000_000), ("240/1", 4_166_666)]) func aSourceGivesVerySlowAndVeryFastFrames(
        rate: String, step: Int64
    ) throws {
        let film = try MediaMaker.film(
            scope.path("f.mkv"), frames: 20, rate: rate, encoding: "jpegenc ! matroskamux")
        let times = FrameReader(SourceSettings(kind: .file(path: film))).infos.map(\.presentationTime)
        #expect(times.count == 20)
        // Matroska stores times in milliseconds.
        for (index, time) in times.enumerated() { #expect(abs(time - Int64(index) * step) <= 1_000_000) }
    }

    @Test func aSourceMayChangeItsPictureSize() {
        let read = FrameReader(
            launch: "videotestsrc num-buffers=5 is-live=true ! video/x-raw,width=320,height=240 ! concat name=c "
                + "videotestsrc num-buffers=5 is-live=true ! video/x-raw,width=640,height=360 ! c. c. ! queue")
        let sizes = read.infos.map { [$0.width, $0.height] }
        #expect(sizes.first == [320, 240] && sizes.last == [640, 360])
        #expect(read.infos.map(\.sequence) == read.infos.map(\.sequence).sorted())
        #expect(read.error?.description == "launch: the stream ended, though it should go on for ever")
    }

    /// The source passes on time that runs backwards. The tracker takes it for a new beginning.
    @Test func aSourceWhoseTimeRunsBackwards() throws {
        let read = FrameReader(
            launch: "videotestsrc num-buffers=5 timestamp-offset=1000000000 ! video/x-raw,framerate=10/1 "
                + "! identity sleep-time=20000 ! concat name=c adjust-base=false "
                + "videotestsrc num-buffers=5 ! video/x-raw,framerate=10/1 ! c. c. ! queue")
        let times = read.infos.map(\.presentationTime)
        #expect(zip(times, times.dropFirst()).contains { $1 < $0 }, "\(times)")
        #expect(!read.isOverdue)
        let numbers = read.infos.map(\.sequence)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 > $0 })
    }

    /// An hour of good pictures, one a second, then noise.
    @Test(arguments: Fuzz.seeds(2)) func aSourceWithGarbageAfterAnHour(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let good = try TestFile.read(
            MediaMaker.film(
                scope.path("good.avi"), frames: 3700, width: 32, height: 32, rate: "1/1", encoding: "jpegenc ! avimux"))
        let end = good.count * 36 / 37
        let path = scope.path("film.avi")
        try TestFile.write(good[..<end] + good[end...].map { _ in UInt8.random(in: 0...255, using: &random) }, to: path)
        let read = FrameReader(SourceSettings(kind: .file(path: path)))
        #expect(!read.isOverdue && read.frames.count >= 3500, "\(read.frames.count)")
        #expect(read.infos.last?.presentationTime ?? 0 >= 3_500_000_000_000)
        #expect(read.error?.description.hasPrefix(path) ?? true)
    }

    /// ISO 14496-12 calls the samples of a protected track `encv`.
    @Test func anEncryptedSourceIsAnError() throws {
        let film = try MediaMaker.film(scope.path("f.mp4"), frames: 10, encoding: "openh264enc ! h264parse ! mp4mux")
        var bytes = try TestFile.read(film)
        let mark = Array("avc1".utf8)
        let places = bytes.indices.dropLast(3).filter { Array(bytes[$0..<($0 + 4)]) == mark }
        #expect(!places.isEmpty)
        for place in places { bytes.replaceSubrange(place..<(place + 4), with: Array("encv".utf8)) }
        try TestFile.write(bytes, to: film)
        let read = FrameReader(SourceSettings(kind: .file(path: film)))
        #expect(!read.isOverdue && read.frames.isEmpty)
        #expect(read.error?.kind == .unreadable || read.error?.kind == .notInstalled)
        #expect(read.error?.description.hasPrefix(film) == true, "\(String(describing: read.error))")
    }
}
