// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Cameras whose picture is at rest, with `source.idle = "keyframes"`.
@Suite(.serialized, .enabled(if: RTSPServer.isAvailable, "needs python3-gi and gir1.2-gst-rtsp-server-1.0"))
struct IdlingTests {
    private struct Line: Decodable {
        struct Frame: Decodable { var seq: Int }
        struct Track: Decodable {
            var id: String
            var first_seen: String
        }

        var type: String
        var state: String?
        var time: String
        var frame: Frame?
        var track: Track?
    }

    private let scope = TestScope()

    /// A grey picture, with a symbol for 45 of its 291 frames, from the 67th on. 15 frames a second.
    private func scene(_ end: String) -> String {
        let symbol = scope.path("symbol.pgm")
        _ = Program.run(Worker.path, ["symbol", "qr_code", "GLIMPSE", "--scale", "6", "--output", symbol])
        let caps = "video/x-raw,format=I420,width=640,height=360,framerate=15/1,pixel-aspect-ratio=1/1"
        func grey(_ frames: Int) -> String {
            "videotestsrc num-buffers=\(frames) pattern=solid-color foreground-color=0xff808080 ! \(caps) ! c."
        }
        return "concat name=c \(grey(66)) "
            + "filesrc location=\(symbol) ! pnmdec ! imagefreeze num-buffers=45 ! videoconvert "
            + "! videobox autocrop=true fill=white ! \(caps) ! c. \(grey(180)) c. ! \(end)"
    }

    /// - Parameter suffix: of the file, by which the server knows what is in it.
    private func film(_ encoding: String, _ suffix: String = "mkv") throws -> String {
        let path = scope.path("film.\(suffix)")
        try MediaMaker.run(scene("\(encoding) ! matroskamux ! filesink location=\(path)"))
        return path
    }

    private func film(keyFrames interval: Int) throws -> String {
        try film("openh264enc gop-size=\(interval) bitrate=1000000 ! h264parse")
    }

    private func run(_ film: String, _ keys: String) async throws -> (lines: [Line], result: ProgramResult) {
        let server = await RTSPServer(film: film)
        return try run(pipeline: pipeline(server, keys))
    }

    /// The file of a pipeline of the server's camera.
    private func pipeline(_ server: RTSPServer, _ keys: String) -> String {
        pipeline(
            """
            kind = "rtsp"
            url = "\(server.url)"
            user = "viewer"
            password_file = "\(scope.write("password", "geheim42\n"))"
            \(keys)
            """)
    }

    private func pipeline(_ source: String) -> String {
        scope.write("pipeline.toml", "[source]\n\(source)\n[barcode]\n")
    }

    private func run(pipeline: String) throws -> (lines: [Line], result: ProgramResult) {
        let result = Program.run(Worker.path, ["pipeline", pipeline])
        let decoder = JSONDecoder()
        return (try result.lines.map { try decoder.decode(Line.self, from: Data($0.utf8)) }, result)
    }

    @Test func aChangeBetweenTwoKeyFramesIsSeenFromItsFirstFrame() async throws {
        let (lines, result) = try await run(
            try film(keyFrames: 30), "idle = \"keyframes\"\nidle_after = \"1s\"\nidle_every = \"500ms\"")
        try expectFirstFrame(lines, result)
    }

    /// Each picture is a key frame, so few wait in memory.
    @Test func aChangeOfACameraThatSendsJPEGIsSeenFromItsFirstFrame() async throws {
        let (lines, result) = try await run(
            try film("jpegenc", "jpeg.mkv"), "idle = \"keyframes\"\nidle_after = \"1s\"")
        try expectFirstFrame(lines, result, last: 67)
    }

    /// After a pause of the network the jitter buffer gives many frames one time.
    @Test(arguments: ["udp", "tcp"]) func aPauseOfTheNetworkIsNoObstacle(transport: String) async throws {
        let path = scope.path("grey.mkv")
        try MediaMaker.run(
            "videotestsrc num-buffers=150 pattern=solid-color ! video/x-raw,width=320,height=240,framerate=15/1 "
                + "! openh264enc gop-size=30 ! h264parse ! matroskamux ! filesink location=\(path)")
        let server = await RTSPServer(film: path)
        let keys = "transport = \"\(transport)\"\nidle = \"keyframes\"\nidle_after = \"1s\""
        let worker = RunningProgram(Worker.path, ["pipeline", pipeline(server, keys)])
        func hasState(_ state: String) -> Bool {
            String(decoding: worker.output, as: UTF8.self).contains(#""state":"\#(state)""#)
        }
        #expect(await holds { hasState("idle") })
        for _ in 0..<2 {
            // The times are those of the fault: packets wait, and then all come.
            server.send(SIGSTOP)
            try await Task.sleep(for: .milliseconds(700))
            server.send(SIGCONT)
            try await Task.sleep(for: .seconds(1))
        }
        let result = worker.finish()
        #expect(hasState("lost"), "\(result)")
        #expect(!result.errors.contains("does not idle"), "\(result)")
    }

    /// - Parameter last: the last frame that was in memory when the change was seen.
    private func expectFirstFrame(_ lines: [Line], _ result: ProgramResult, last: Int = 91) throws {
        let states = lines.compactMap(\.state)
        #expect(Array(states.prefix(4)) == ["connecting", "connected", "idle", "connected"], "\(result)")
        #expect(states.last == "lost" && states.count { $0 == "idle" } > 1, "\(result)")
        let tracked = lines.filter { $0.track != nil }
        #expect(Set(tracked.compactMap(\.track?.id)).count == 1, "\(result)")
        let detected = try #require(tracked.first { $0.type == "detected" }, "\(result)")
        let first = try #require(detected.frame?.seq)
        // On a busy machine the frames of most of a second can have one time, and the reader searches one of them.
        #expect((67...79).contains(first) && detected.track?.first_seen == detected.time, "\(result)")
        // The frames up to the next look were all in memory. Later ones may be dropped on a busy machine.
        let updates = tracked.filter { $0.type == "update" }.compactMap(\.frame?.seq)
        let certain = Array(first...max(first, last))
        #expect(Array(updates.prefix(certain.count)) == certain, "\(updates)")
        let numbers = tracked.compactMap(\.frame?.seq)
        #expect(numbers == numbers.sorted())
        let check = Program.run(
            Program.built("glimpsed"), ["conform", "-"], input: result.lines.joined(separator: "\n") + "\n")
        #expect(check.status == 0, "\(check)")
    }

    @Test func aSourceOfRawPicturesLooksAtFewOfThemAtRest() throws {
        let (lines, result) = try run(
            pipeline: pipeline(
                """
                kind = "launch"
                launch = "\(scene("identity sync=true single-segment=true"))"
                idle = "keyframes"
                idle_after = "1s"
                """))
        let states = lines.compactMap(\.state)
        #expect(Array(states.prefix(4)) == ["connecting", "connected", "idle", "connected"], "\(result)")
        #expect(states.last == "lost" && states.count { $0 == "idle" } > 1, "\(result)")
        let detected = try #require(lines.first { $0.type == "detected" }, "\(result)")
        // The first picture of the symbol that was looked at; eight of them last half a second and more.
        #expect((67...75).contains(detected.frame?.seq ?? 0), "\(result)")
        #expect(detected.track?.first_seen == detected.time)
    }

    @Test func aCameraWithFewKeyFramesIsDecodedWholeAndSaysSo() async throws {
        let (lines, result) = try await run(try film(keyFrames: 300), "idle = \"keyframes\"\nidle_after = \"1s\"")
        #expect(lines.compactMap(\.state) == ["connecting", "connected", "lost"], "\(result)")
        // A busy machine may drop the first frame of the code, but not a second of frames.
        #expect(lines.contains { $0.type == "detected" && (67...82).contains($0.frame?.seq ?? 0) }, "\(result)")
        #expect(result.errors.contains("the source does not idle: its key frames are more than 5 s apart"), "\(result)")
    }
}
