// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Observations
import Settings
import Testing

/// Film files give every frame, in order, on the file's clock.
@Suite struct FilmTests {
    private let scope = TestScope()

    @Test(arguments: [
        ("avi", "jpegenc ! avimux"), ("mkv", "openh264enc ! h264parse ! matroskamux"),
        ("mp4", "openh264enc ! h264parse ! mp4mux"), ("webm", "vp8enc deadline=1 ! webmmux"),
        ("mkv", "x265enc speed-preset=ultrafast ! h265parse ! matroskamux"),
    ])
    func aFilmGivesEveryFrameInOrder(suffix: String, encoding: String) throws {
        let path = try MediaMaker.film(scope.path("film.\(suffix)"), frames: 40, encoding: encoding)
        let read = FrameReader(SourceSettings(kind: .file(path: path)))
        #expect(read.error == nil)
        #expect(read.infos.map(\.sequence) == Array(1...40))
        #expect(read.infos.allSatisfy { $0.clock == .file && $0.time.nanoseconds == $0.presentationTime })
        for (index, info) in read.infos.enumerated() {
            // Matroska stores times in milliseconds.
            #expect(abs(info.presentationTime - Int64(index) * 1_000_000_000 / 30) <= 1_000_000)
        }
        let times = read.frames.compactMap(\.decodeTime)
        #expect(times.count == 40 && times.allSatisfy { $0 > .zero && $0 < .seconds(10) }, "\(times)")
    }

    @Test func twoRunsOfAFilmGiveEqualPixels() throws {
        let path = try MediaMaker.film(
            scope.path("film.avi"), frames: 10, width: 322, height: 242, encoding: "jpegenc ! avimux")
        let (first, second) = (
            FrameReader(SourceSettings(kind: .file(path: path))), FrameReader(SourceSettings(kind: .file(path: path)))
        )
        #expect(first.infos == second.infos)
        #expect(first.frames.map { $0.meanLuma() } == second.frames.map { $0.meanLuma() })
    }

    @Test func framesOutliveTheirSource() throws {
        let path = try MediaMaker.film(
            scope.path("film.avi"), frames: 5, pattern: "white", encoding: "jpegenc ! avimux")
        let read = FrameReader(SourceSettings(kind: .file(path: path)))
        #expect(read.frames.count == 5)
        #expect(read.frames.allSatisfy { $0.meanLuma() > 230 })
    }

    @Test func aSlowReaderOfAFilmLosesNoFrames() throws {
        let path = try MediaMaker.film(scope.path("film.avi"), frames: 15, encoding: "jpegenc ! avimux")
        let read = FrameReader(SourceSettings(kind: .file(path: path)), pause: .milliseconds(20))
        #expect(read.infos.map(\.sequence) == Array(1...15))
    }

    @Test func aFilmInRealTimeDropsAndCountsFrames() throws {
        let path = try MediaMaker.film(scope.path("film.avi"), frames: 45, encoding: "jpegenc ! avimux")
        let started = ContinuousClock.now
        let read = FrameReader(SourceSettings(kind: .file(path: path, pace: .realtime)), pause: .milliseconds(200))
        let numbers = read.infos.map(\.sequence)
        #expect(read.error == nil)
        #expect(ContinuousClock.now - started >= .milliseconds(1300))
        #expect(numbers.count < 30)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(numbers, numbers.dropFirst()).contains { $1 - $0 > 1 })
        #expect(numbers.last.map { $0 <= 45 } == true)
        #expect(read.infos.allSatisfy { $0.clock == .arrival })
    }

    @Test func aLoopedFilmContinuesTimesAndFrameNumbers() throws {
        let path = try MediaMaker.film(scope.path("film.avi"), frames: 10, rate: "20/1", encoding: "jpegenc ! avimux")
        let read = FrameReader(
            try PlaylistSource(SourceSettings(kind: .file(path: path, loop: true))), most: 35)
        #expect(read.infos.map(\.sequence) == Array(1...35))
        #expect(read.infos.map(\.presentationTime) == (0..<35).map { $0 * 50_000_000 })
    }

    @Test func aFilmOfVariableFrameRateKeepsItsTimes() throws {
        let path = scope.path("film.mkv")
        // Every frame lasts until the next frame. The times are those that the muxer received.
        try MediaMaker.run(
            "concat name=c ! jpegenc ! capssetter caps=image/jpeg,framerate=0/1 ! matroskamux ! filesink location=\(path)"
                + " videotestsrc num-buffers=5 ! video/x-raw,width=64,height=48,framerate=10/1 ! c."
                + " videotestsrc num-buffers=5 ! video/x-raw,width=64,height=48,framerate=50/1 ! c.")
        let read = FrameReader(SourceSettings(kind: .file(path: path)))
        let times = read.infos.map { $0.presentationTime / 1_000_000 }
        #expect(times == [0, 100, 200, 300, 400, 500, 520, 540, 560, 580])
    }
}
