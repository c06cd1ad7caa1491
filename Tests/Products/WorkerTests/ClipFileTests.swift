// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Clips of a network camera.
@Suite(.serialized, .enabled(if: RTSPServer.isAvailable, "needs python3-gi and gir1.2-gst-rtsp-server-1.0"))
struct ClipFileTests {
    private struct Line: Decodable {
        struct Frame: Decodable {
            var seq: Int
            var pts_ns: Int
        }

        var type: String
        var time: String
        var frame: Frame?
        var file: String?
        var events: String?
        var from: String?
        var to: String?
        var frames: Int?
        var bytes: Int?
        var pts_ns: Int?
        var reasons: [String]?
        var recovered: Bool?
    }

    private static let size = (width: 320, height: 180)
    private let scope = TestScope()

    private func lines(_ texts: [String]) throws -> [Line] {
        try texts.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    /// A grey picture of 15 frames a second, with a symbol from the 67th frame on. Every 15th is a key frame.
    private func film(symbol frames: Int) throws -> String {
        let symbol = scope.path("symbol.pgm")
        _ = Program.run(Worker.path, ["symbol", "qr_code", "GLIMPSE", "--scale", "4", "--output", symbol])
        let caps =
            "video/x-raw,format=I420,width=\(Self.size.width),height=\(Self.size.height),framerate=15/1,"
            + "pixel-aspect-ratio=1/1"
        func grey(_ frames: Int) -> String {
            "videotestsrc num-buffers=\(frames) pattern=solid-color foreground-color=0xff808080 ! \(caps) ! c."
        }
        let path = scope.path("film.mkv")
        try MediaMaker.run(
            "concat name=c ! openh264enc gop-size=15 bitrate=500000 ! h264parse ! matroskamux "
                + "! filesink location=\(path) \(grey(66)) "
                + "filesrc location=\(symbol) ! pnmdec ! imagefreeze num-buffers=\(frames) ! videoconvert "
                + "! videobox autocrop=true fill=white ! \(caps) ! c. \(grey(90))")
        return path
    }

    /// - Parameter clip: lines after the keys of `[clip]`.
    private func pipeline(_ server: RTSPServer, ring: String = "ring = \"10s\"", clip: String = "") -> [String] {
        let file = scope.write(
            "door.toml",
            """
            [source]
            kind = "rtsp"
            url = "\(server.url)"
            user = "viewer"
            password_file = "\(scope.write("password", "geheim42\n"))"
            \(ring)
            [barcode]
            [barcode.tracking]
            max_gap = "1s"
            [clip]
            on = ["barcode"]
            before = "2s"
            after = "1030ms"
            \(clip)
            """)
        return ["pipeline", file, "--pictures", scope.path("pictures")]
    }

    /// The number of frames that a decoder finds in a file.
    private func decoded(_ file: String) throws -> Int {
        try luma(of: file).count / (Self.size.width * Self.size.height)
    }

    /// The luma of all frames of a file.
    private func luma(of file: String) throws -> [UInt8] {
        let raw = scope.path("raw")
        try MediaMaker.run(
            "filesrc location=\(file) ! decodebin ! videoconvert ! video/x-raw,format=GRAY8 ! filesink location=\(raw)")
        return try TestFile.read(raw)
    }

    private func expectConforming(_ lines: [String]) {
        let check = Program.run(
            Program.built("glimpsed"), ["conform", "-"], input: lines.joined(separator: "\n") + "\n")
        #expect(check.status == 0, "\(check)")
    }

    @Test func aClipHasItsPreRollAndTheEventsOfItsTime() async throws {
        let server = await RTSPServer(film: try film(symbol: 45))
        let result = Program.run(Worker.path, pipeline(server))
        let all = try lines(result.lines)
        let clip = try #require(all.first { $0.type == "clip" }, "\(result)")
        #expect(all.count { $0.type == "clip" } == 1 && clip.reasons == ["barcode"] && clip.recovered == nil)
        let first = try #require(all.first { $0.type == "detected" }?.frame)
        let last = try #require(all.last { $0.type == "update" }?.frame)
        let file = try #require(clip.file)
        let (luma, size) = (try luma(of: file), Self.size.width * Self.size.height)
        let frames = luma.count / size
        #expect(clip.frames == frames, "\(clip)")
        // The symbol has white around it; the picture before is grey.
        let place = try #require((0..<frames).first { luma[($0 * size)..<(($0 + 1) * size)].contains { $0 > 200 } })
        var times = [try Double(#require(clip.pts_ns)) / 1e9]
        for duration in try Self.durations(of: file).joined() { times.append(times[times.count - 1] + duration) }
        let (begin, end) = (Double(first.pts_ns) / 1e9, Double(last.pts_ns) / 1e9)
        #expect(times.count == frames + 1 && abs(times[place] - begin) < 0.01, "\(times)")
        // From the last key frame two seconds before the symbol, up to a second after it.
        #expect(times[0] <= begin - 2 && times[15] > begin - 2, "\(times)")
        #expect((0.8...1.031).contains(times[frames - 1] - end), "\(times)")
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int == clip.bytes)
        #expect(clip.time == clip.to && (clip.from ?? "") < (clip.to ?? ""))
        let texts = try String(contentsOfFile: try #require(clip.events), encoding: .utf8)
            .split(separator: "\n").map(String.init)
        let events = try lines(texts)
        #expect(events.first?.type == "detected" && events.count { $0.type == "update" } > 10, "\(events.count)")
        let numbers = (first.seq - place)..<(first.seq - place + frames)
        #expect(events.compactMap(\.frame?.seq).allSatisfy(numbers.contains))
        #expect(Set(texts).isSubset(of: Set(result.lines)))
        expectConforming(result.lines)
    }

    /// The worker encodes the clip of a camera without a ring.
    @Test func aClipOfMaskedPicturesHasItsPreRollAndItsMask() async throws {
        let server = await RTSPServer(film: try film(symbol: 45))
        let mask = "covered = \"encode\"\n[[mask]]\nname = \"left\"\npolygon = [[0, 0], [0.1, 0], [0.1, 1], [0, 1]]"
        let result = Program.run(Worker.path, pipeline(server, ring: "", clip: mask))
        let all = try lines(result.lines)
        let clip = try #require(all.first { $0.type == "clip" }, "\(result)")
        #expect(all.count { $0.type == "clip" } == 1 && clip.reasons == ["barcode"], "\(result)")
        let first = try #require(all.first { $0.type == "detected" }?.frame)
        let last = try #require(all.last { $0.type == "update" }?.frame)
        let start = try #require(clip.pts_ns)
        let length = try Self.durations(of: #require(clip.file)).joined().reduce(0, +)
        let before = Double(first.pts_ns - start) / 1e9
        let after = length - Double(last.pts_ns - start) / 1e9
        // From a key frame on, of which each tenth picture is one.
        #expect((1.9...4.5).contains(before) && (0.5...1.5).contains(after), "\(clip)")
        let luma = try luma(of: try #require(clip.file))
        let (width, height) = Self.size
        #expect(luma.count / (width * height) == clip.frames && clip.frames ?? 0 > 20, "\(clip)")
        // The camera's picture has white edges beside the symbol.
        let frames = stride(from: 0, to: luma.count, by: width * height)
        #expect(frames.contains { luma[$0 + width - 1] > 200 })
        let seen = frames.flatMap { frame in
            stride(from: frame, to: frame + width * height, by: width).flatMap { luma[$0..<$0 + 16] }
        }
        #expect(seen.allSatisfy { abs(Int($0) - 128) <= 10 })
        let events = try lines(
            String(contentsOfFile: try #require(clip.events), encoding: .utf8).split(separator: "\n").map(String.init))
        #expect(events.first?.type == "detected" && events.count { $0.type == "update" } > 10, "\(events.count)")
        expectConforming(result.lines)
    }

    /// The seconds of each frame of each fragment. (`mdhd` has the time scale. `trun` has its version and flags, the
    /// number of frames, and fields of four bytes for each, the duration first. Equal durations are in `tfhd` or in
    /// `trex` instead; ISO/IEC 14496-12.)
    private static func durations(of file: String) throws -> [[Double]] {
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        func number(_ offset: Int) -> Int { data[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
        func find(_ name: String, from start: Int) -> Int? {
            data.range(of: Data(name.utf8), in: start..<data.endIndex)?.upperBound
        }
        let scale = try number(#require(find("mdhd", from: 0)) + 12)
        let common = try number(#require(find("trex", from: 0)) + 12)
        var (fragments, start) = ([[Double]](), data.startIndex)
        while let track = find("tfhd", from: start), let run = find("trun", from: track) {
            let hasEqual = number(track) & 0x8 != 0
            let equal = hasEqual ? number(track + 8 + (number(track) & 0x1) * 8 + (number(track) & 0x2) * 2) : common
            let flags = number(run)
            let first = run + 8 + 4 * [0x1, 0x4].count { flags & $0 != 0 }
            let size = 4 * [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 }
            fragments.append(
                (0..<number(run + 4)).map {
                    Double(flags & 0x100 != 0 ? number(first + $0 * size) : equal) / Double(scale)
                })
            start = run
        }
        return fragments
    }

    @Test func aClipOfAKilledWorkerIsPlayableAndRecovered() async throws {
        let server = await RTSPServer(film: try film(symbol: 300))
        let folder = scope.path("pictures/clips")
        func video() -> String? {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.first { $0.hasSuffix(".mp4") }.map { "\(folder)/\($0)" }
        }
        /// The number of begun fragments.
        func fragments() -> Int {
            guard let file = video(), let data = FileManager.default.contents(atPath: file) else { return 0 }
            var (count, start) = (0, data.startIndex)
            while let found = data.range(of: Data("moof".utf8), in: start..<data.endIndex) {
                (count, start) = (count + 1, found.upperBound)
            }
            return count
        }
        let worker = RunningProgram(Worker.path, pipeline(server))
        #expect(await holds { fragments() >= 4 })
        worker.send(SIGKILL)
        _ = worker.finish()
        let file = try #require(video())
        let playable = try decoded(file)
        let written = try Self.durations(of: file).dropLast().joined().count
        // Three fragments of a second, each of which has 14 frames at least.
        #expect(written >= 42 && playable >= written, "\(playable) of \(written)")

        server.kill()
        let again = await RTSPServer(film: try film(symbol: 15))
        let result = Program.run(Worker.path, pipeline(again))
        let recovered = try #require(try lines(result.lines).first { $0.recovered == true }, "\(result)")
        #expect(recovered.file == file && recovered.reasons == ["barcode"])
        let frames = try #require(recovered.frames)
        #expect(frames >= written && frames <= playable, "\(frames) of \(written) to \(playable)")
        #expect(try decoded(file) == frames)
        let events = try String(contentsOfFile: try #require(recovered.events), encoding: .utf8)
        #expect(events.hasSuffix("\n") && events.contains(#""type":"detected""#))
        #expect(!FileManager.default.fileExists(atPath: "\(file.dropLast(4)).part"))
        expectConforming(result.lines)
    }
}
