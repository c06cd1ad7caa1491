// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import Tapes

/// Runs the commands `glimpsed pipeline --record` and `glimpsed replay`.
@Suite struct ReplayCommandTests {
    private static let glimpsed = Program.built("glimpsed")
    private let scope = TestScope()
    private var tape: String { scope.path("scene.tape") }

    private func record(_ configuration: String, _ arguments: [String] = [], frames: Int) -> ProgramResult {
        let source = "[source]\nkind = \"test\"\nframes = \(frames)\nwidth = 640\nheight = 360\n"
        let file = scope.write("scene.toml", source + configuration)
        return Program.run(
            Self.glimpsed, ["pipeline", file, "--record", tape] + arguments)
    }

    private func replay(_ arguments: [String] = []) -> ProgramResult {
        Program.run(Self.glimpsed, ["replay", tape] + arguments)
    }

    @Test func theReplayOfTheTestSceneGivesEqualLines() throws {
        let live = record("[barcode]\n", ["--set", "barcode.tracking.hits=4"], frames: 90)
        #expect(live.status == 0, "\(live)")
        let again = replay()
        #expect(again.status == 0 && again.errors.isEmpty, "\(again)")
        #expect(again.output == live.output && !live.output.isEmpty)
        // The tape has the file's configuration with the values of --set. Another configuration replaces it.
        #expect(
            replay(["--config", scope.write("scene.toml", "[barcode.tracking]\nhits = 4\n")]).output == live.output)
        let other = replay(["--config", scope.write("other.toml", "name = \"x\"\n[barcode]\neffort = \"hard\"\n")])
        #expect(other.output != live.output)
        #expect(other.errors.contains("barcode: settings of the detector differ"))
    }

    /// The demo's scene shows its code to a session with the phone's delay, and the tape gives the same session.
    @Test func theReplayOfASearchGivesEqualLines() throws {
        let configuration = """
            [barcode]
            [search]
            source = "barcode"
            reticle = { x = 0.5, y = 0.85 }
            """
        let live = record(configuration, frames: 400)
        #expect(live.status == 0, "\(live)")
        let lines = try live.lines.map { try StreamLine(Array($0.utf8)) }.filter { $0.type == "search" }
        let states = lines.compactMap(\.state).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(
            states.starts(with: ["detecting", "searching", "searched"]) && states.last == "not_started", "\(states)")
        let (began, found) = (
            try #require(lines.first { $0.state == "searching" }), try #require(lines.first { $0.state == "searched" })
        )
        #expect(found.text.contains(#""raw":"4006381333931""#) && found.text.contains(#""outcome":"value""#))
        // Two seconds of fifteen frames.
        #expect((found.frame?.seq ?? 0) - (began.frame?.seq ?? 0) == 30)
        let again = replay()
        #expect(again.status == 0 && again.output == live.output, "\(again.errors)")
        #expect(record(configuration, frames: 400).output == live.output)
    }

    @Test func frameLinesAreWrittenOnRequestInTheForegroundAndInAReplay() throws {
        let configuration = "[barcode]\nmax_rate = 10\n"
        let plain = record(configuration, frames: 60)
        let framed = record(configuration, ["--frames"], frames: 60)
        #expect(plain.status == 0 && framed.status == 0, "\(framed)")
        let lines = try framed.lines.map { try StreamLine(Array($0.utf8)) }
        let frames = lines.filter { $0.type == "frame" }
        // Fifteen frames a second in, ten looked at.
        #expect((38...42).contains(frames.count) && frames.first?.frame?.seq == 1, "\(frames.count)")
        #expect(frames.contains { $0.text.hasSuffix(#""count":0,"in_view":0,"missing":0}"#) })
        #expect(lines.filter { $0.type != "frame" }.map(\.text) == plain.lines)
        #expect(replay().output == plain.output && replay(["--frames"]).output == framed.output)
        #expect(violation(in: framed.lines.map { Array($0.utf8) }) == nil)
        #expect(replay(["--frames", "--diff", "x.toml"]).status == 64)
    }

    @Test func explanationsOfAReplayEqualThoseOfTheRun() {
        let configuration = "[barcode]\nallow = [\"^https:\"]\n"
        let plain = record(configuration, frames: 60)
        let later = replay(["--explain"])
        let explained = record(configuration, ["--explain"], frames: 60)
        #expect(plain.status == 0 && explained.status == 0, "\(explained)")
        #expect(later.output == explained.output)
        #expect(replay().output == explained.output)
        #expect(explained.lines.contains { $0.contains("\"cause\":\"filtered\"") })
    }

    /// A camera drops any frames, stops at any time and stamps frames with the clock. The replay still gives equal
    /// bytes.
    @Test func theReplayOfALiveSourceGivesEqualLines() async throws {
        let file = scope.write("scene.toml", "[barcode]\n[object]\n")
        let live = RunningProgram(
            Self.glimpsed, ["pipeline", file, "--source", "test:scene", "--record", tape], scope: TestScope())
        #expect(
            await holds { String(decoding: live.output, as: UTF8.self).contains("\"update\"") })
        live.send(2)
        let ended = live.finish()
        #expect(ended.status == 0, "\(ended)")
        let again = replay()
        #expect(again.output == ended.output && again.status == 0, "\(again)")
        #expect(again.lines.last?.contains("\"ended\"") == true)
    }

    /// The records up to the kill of the process are replayed, with a warning.
    @Test func theReplayOfAKilledRecordingEndsAtItsLastRecord() async throws {
        let file = scope.write("scene.toml", "[barcode]\n")
        let live = RunningProgram(
            Self.glimpsed, ["pipeline", file, "--source", "test:scene", "--record", tape], scope: TestScope())
        #expect(await holds { ((try? TestFile.read(tape))?.count ?? 0) > 4000 })
        live.send(9)
        let ended = live.finish()
        let again = replay()
        #expect(again.status == 0, "\(again)")
        #expect(again.errors.contains("truncated"))
        let common = min(ended.output.count, again.output.count)
        #expect(ended.output.prefix(common) == again.output.prefix(common) && common > 0)
        // Records are written before their lines, and the process may be killed in between: the lines of one frame.
        let ahead = again.output.dropFirst(common).split(separator: UInt8(ascii: "\n"))
            .compactMap { try? StreamLine(Array($0)).frame?.seq }
        #expect(Set(ahead).count <= 1, "\(ahead)")
    }

    @Test func aReplayComparesOtherSettings() throws {
        let live = record("[barcode]\n", frames: 150)
        #expect(live.status == 0, "\(live)")
        let file = scope.write("other.toml", "[barcode.tracking]\nmax_gap_frames = 0\n")
        let text = replay(["--diff", file])
        #expect(text.status == 0 && text.lines.last?.contains("changed") == true, "\(text)")
        let json = replay(["--diff", scope.path("scene.toml"), file, "--json"])
        #expect(json.status == 0, "\(json)")
        let summary = try #require(json.lines.last)
        #expect(summary.contains("\"diff\":\"summary\""))
        #expect(json.lines.contains { $0.contains("\"diff\":\"changed\"") || $0.contains("\"diff\":\"only_b\"") })
        #expect(
            replay(["--diff", scope.path("scene.toml")]).lines.last?.contains("0 changed, 0 only in A, 0 only in B")
                == true)
    }

    /// The tape has neither the address of the source nor its password.
    @Test func theSourceConfigurationIsNotOnTheTape() throws {
        let secret = "videotestsrc num-buffers=3 name=hunter2 ! video/x-raw,width=64,height=48"
        let configuration = "[source]\nkind = \"launch\"\nlaunch = \"\(secret)\"\n[barcode]\n"
        let file = scope.write("scene.toml", configuration)
        let live = Program.run(Self.glimpsed, ["pipeline", file, "--record", tape])
        #expect(live.lines.count >= 3, "\(live)")
        let text = String(decoding: try TestFile.read(tape), as: UTF8.self)
        #expect(text.contains("barcode") && !text.contains("hunter2"))
        #expect(replay().output == live.output)
    }

    @Test func aTapeThatCannotBeReplayedIsAnError() throws {
        #expect(replay().status == 66)
        #expect(Program.run(Self.glimpsed, ["replay", scope.write("f.toml", "[barcode]\n")]).status == 1)
        #expect(Program.run(Self.glimpsed, ["replay", "/"]).status == 66)
        #expect(replay(["--json"]).status == 64)
        #expect(replay(["--diff", "a", "b", "c"]).status == 64)
        _ = record("[barcode]\n", frames: 2)
        #expect(replay(["--config", scope.path("nowhere.toml")]).status == 78)
        #expect(record("[barcode]\n", ["--stages"], frames: 2).status == 64)
        let file = scope.write("scene.toml", "[barcode]\n")
        #expect(Program.run(Self.glimpsed, ["pipeline", file, "--record", scope.path("no/folder")]).status != 0)
    }
}
