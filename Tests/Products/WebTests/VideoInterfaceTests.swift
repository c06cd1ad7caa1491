// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import GlimpseTesting
import Observations
import Testing

/// The camera's own video and clips before a real daemon. A film in real time stands for a camera.
@Suite struct VideoInterfaceTests {
    private static let size = (width: 320, height: 180)

    private struct Line: Decodable {
        struct Frame: Decodable {
            var epoch: Int
            var pts_ns: Int64
        }
        var type: String
        var frame: Frame?
    }

    private struct Clips: Decodable {
        struct Clip: Decodable {
            var pipeline: String
            var name: String
            var frames: Int
            var bytes: Int
        }
        var clips: [Clip]
    }

    /// A film of a minute whose every 15th frame is a key frame.
    private func film(_ scope: TestScope, encoder: String = "openh264enc gop-size=15 bitrate=300000 ! h264parse") throws
        -> String
    {
        try MediaMaker.film(
            scope.path("film.mkv"), frames: 900, width: Self.size.width, height: Self.size.height, rate: "15/1",
            encoding: "\(encoder) ! matroskamux")
    }

    private func start(_ path: String, source: String = "ring = \"10s\"", more: String = "") async throws -> WebBench {
        try await WebBench(
            source: "kind = \"file\"\npath = \"\(path)\"\npace = \"realtime\"\n\(source)", pipeline: more)
    }

    /// The decode times of the fragments.
    private func times(_ bytes: [UInt8]) -> [Int64] {
        let data = Data(bytes)
        var (times, place) = ([Int64](), data.startIndex)
        while let found = data.range(of: Data("tfdt".utf8), in: place..<data.endIndex),
            found.upperBound + 12 <= data.count
        {
            times.append(data[(found.upperBound + 4)..<(found.upperBound + 12)].reduce(0) { $0 << 8 | Int64($1) })
            place = found.upperBound
        }
        return times
    }

    /// The number of frames that a decoder finds in a file.
    private func decoded(_ file: String, _ scope: TestScope) throws -> Int {
        let raw = scope.path("raw")
        try MediaMaker.run(
            "filesrc location=\(file) ! decodebin ! videoconvert ! video/x-raw,format=GRAY8 ! filesink location=\(raw)")
        let bytes = try FileManager.default.attributesOfItem(atPath: raw)[.size] as? Int
        return (bytes ?? 0) / (Self.size.width * Self.size.height)
    }

    @Test func theVideoIsPlayableAndHasTheTimesOfTheEventsFrames() async throws {
        let scope = TestScope()
        let bench = try await start(film(scope))
        let events = try bench.get("/api/events?frames=1")
        let stream = try bench.get("/api/pipelines/demo/stream?mode=h264")
        try #require(stream.status == 200, "\(bench.daemon.errors)")
        #expect(stream.headers["content-type"]?.hasPrefix("video/mp4; codecs=\"avc1.42") == true)
        #expect(stream.headers["x-frame-epoch"] == "1")
        var video: [UInt8] = []
        while times(video).count < 40, let chunk = try stream.chunk() { video += chunk }
        let found = times(video)
        #expect(found.count >= 40 && found == found.sorted())
        var (text, known) = ("", Set<Int64>())
        while known.max() ?? 0 < found[39], let chunk = try events.chunk() {
            text += String(decoding: chunk, as: UTF8.self)
            let end = text.lastIndex(of: "\n") ?? text.startIndex
            for line in text[..<end].split(separator: "\n") where line.hasPrefix("data: ") {
                if let frame = try JSONDecoder().decode(Line.self, from: Data(line.dropFirst(6).utf8)).frame {
                    known.insert(frame.pts_ns)
                }
            }
            text = String(text[end...])
        }
        // A busy detector leaves frames out, but the frames that it has looked at are those of the video.
        let span = found[0]...found[39]
        let inside = known.filter(span.contains)
        #expect(inside.count >= 10 && inside.allSatisfy(Set(found).contains), "\(inside.sorted())\n\(found)")
        stream.close()
        let file = bench.scope.write("seen.mp4", bytes: video)
        // The last fragment may be cut.
        let frames = try decoded(file, scope)
        #expect((found.count - 1...found.count).contains(frames), "\(frames) of \(found.count)")
        #expect(bench.daemon.errors.contains("for page unix: video of pipeline demo"), "\(bench.daemon.errors)")

        // A clip that has these bytes.
        let name = "20261120T080000.000000000Z-1"
        bench.scope.write("state/clips/demo/\(name).mp4", bytes: video)
        bench.scope.write("state/clips/demo/\(name).jsonl", "{}\n")
        let list = try bench.get("/api/clips?pipeline=demo&since=2026-11-20&limit=5").body()
        let clips = try JSONDecoder().decode(Clips.self, from: Data(list)).clips
        #expect(clips.map(\.name) == [name] && clips[0].frames >= 39, "\(clips)")
        let stored = try bench.get("/api/clips/demo/\(name).mp4")
        #expect(stored.status == 200 && stored.headers["content-type"] == "video/mp4")
        #expect(try stored.body() == video)
        #expect(try bench.get("/api/clips/demo/\(name).jsonl").text() == "{}\n")
        for path in ["demo/\(name).part", "demo/other.mp4", "nobody/\(name).mp4", "..%2Fclips%2Fdemo/\(name).mp4"] {
            #expect(try bench.get("/api/clips/\(path)").status == 404, "\(path)")
        }
        #expect(try bench.get("/api/clips?limit=0").status == 400)
        #expect(try bench.get("/api/clips?since=yesterday").status == 400)
        #expect(bench.daemon.errors.contains("clip \(name) of pipeline demo"), "\(bench.daemon.errors)")
    }

    @Test(arguments: [
        ("ring = \"10s\"", "[[mask]]\nname = \"m\"\npolygon = [[0, 0], [1, 0], [1, 1]]", "masks cover parts"),
        ("ring = \"10s\"", "[privacy]\nblur = [\"barcode\"]", "privacy.blur covers features"),
        ("ring = \"10s\"", "[privacy]\npictures = false", "privacy.pictures is false"),
        ("ring = \"10s\"\nrotation = 90", "", "source.rotation or source.mirror"),
        ("", "", "so no encoded video is in memory"),
    ])
    func theVideoIsRefusedWhereItWouldShowTooMuch(source: String, more: String, reason: String) async throws {
        let scope = TestScope()
        let bench = try await start(film(scope), source: source, more: more)
        var text = ""
        let isRefused = try await holds {
            let answer = try bench.get("/api/pipelines/demo/stream?mode=h264")
            text = try answer.text()
            return answer.status == 409
        }
        #expect(isRefused && text.contains(reason), "\(text)")
        let status = try bench.get("/api/pipelines").text()
        #expect(status.contains("\"video_withheld\":\"") && status.contains(reason), "\(status)")
    }

    @Test(arguments: [
        (
            "x265enc key-int-max=15 speed-preset=ultrafast tune=zerolatency ! h265parse",
            "the camera sends H.265, not H.264"
        )
    ])
    func theVideoIsRefusedForItsCodec(encoder: String, reason: String) async throws {
        let scope = TestScope()
        let bench = try await start(film(scope, encoder: encoder))
        var text = ""
        let isRefused = try await holds {
            let answer = try bench.get("/api/pipelines/demo/stream?mode=h264")
            text = try answer.text()
            return answer.status == 409
        }
        #expect(isRefused && text.contains(reason), "\(text)\n\(bench.daemon.errors)")
        #expect(!(try bench.get("/api/pipelines").text().contains("video_withheld")))
    }
}
