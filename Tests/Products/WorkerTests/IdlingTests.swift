import Foundation
import GlimpseTesting
import Testing

/// A network camera whose picture is at rest, with `source.idle = "keyframes"`.
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

    /// A grey picture, with a symbol for 45 of its 231 frames, from the 67th on. 15 frames a second.
    private func film(keyFrames interval: Int) throws -> String {
        let symbol = scope.path("symbol.pgm")
        _ = Program.run(Worker.path, ["symbol", "qr_code", "GLIMPSE", "--scale", "6", "--output", symbol])
        let caps = "video/x-raw,format=I420,width=640,height=360,framerate=15/1,pixel-aspect-ratio=1/1"
        func grey(_ frames: Int) -> String {
            "videotestsrc num-buffers=\(frames) pattern=solid-color foreground-color=0xff808080 ! \(caps) ! c."
        }
        let path = scope.path("film\(interval).mkv")
        try MediaMaker.run(
            "concat name=c ! openh264enc gop-size=\(interval) bitrate=1000000 ! h264parse ! matroskamux "
                + "! filesink location=\(path) \(grey(66)) "
                + "filesrc location=\(symbol) ! pnmdec ! imagefreeze num-buffers=45 ! videoconvert "
                + "! videobox autocrop=true fill=white ! \(caps) ! c. \(grey(120))")
        return path
    }

    private func run(_ film: String, _ keys: String) async throws -> (lines: [Line], result: ProgramResult) {
        let server = await RTSPServer(film: film)
        let file = scope.write(
            "pipeline.toml",
            """
            [source]
            kind = "rtsp"
            url = "\(server.url)"
            user = "viewer"
            password_file = "\(scope.write("password", "geheim42\n"))"
            \(keys)
            [barcode]
            """)
        let result = Program.run(Worker.path, ["pipeline", file])
        let decoder = JSONDecoder()
        return (try result.lines.map { try decoder.decode(Line.self, from: Data($0.utf8)) }, result)
    }

    @Test func aChangeBetweenTwoKeyFramesIsSeenFromItsFirstFrame() async throws {
        let (lines, result) = try await run(
            try film(keyFrames: 30), "idle = \"keyframes\"\nidle_after = \"1s\"\nidle_every = \"500ms\"")
        #expect(
            lines.compactMap(\.state) == ["connecting", "connected", "idle", "connected", "idle", "lost"], "\(result)")
        let tracked = lines.filter { $0.track != nil }
        #expect(Set(tracked.compactMap(\.track?.id)).count == 1, "\(result)")
        let detected = try #require(tracked.first { $0.type == "detected" }, "\(result)")
        #expect(detected.frame?.seq == 67 && detected.track?.first_seen == detected.time)
        // The frames up to the next key frame were all in memory. Later ones may be dropped on a busy machine.
        let updates = tracked.filter { $0.type == "update" }.compactMap(\.frame?.seq)
        #expect(Array(updates.prefix(25)) == Array(67...91), "\(updates)")
        let numbers = tracked.compactMap(\.frame?.seq)
        #expect(numbers == numbers.sorted())
        let check = Program.run(
            Program.built("glimpsed"), ["conform", "-"], input: result.lines.joined(separator: "\n") + "\n")
        #expect(check.status == 0, "\(check)")
    }

    @Test func aCameraWithFewKeyFramesIsDecodedWholeAndSaysSo() async throws {
        let (lines, result) = try await run(try film(keyFrames: 300), "idle = \"keyframes\"\nidle_after = \"1s\"")
        #expect(lines.compactMap(\.state) == ["connecting", "connected", "lost"], "\(result)")
        // A busy machine may drop the first frame of the code, but not a second of frames.
        #expect(lines.contains { $0.type == "detected" && (67...82).contains($0.frame?.seq ?? 0) }, "\(result)")
        #expect(result.errors.contains("the source does not idle: its key frames are more than 5 s apart"), "\(result)")
    }
}
