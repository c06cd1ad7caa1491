// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Faces below `min_size` are reported once, with the `min_size` that shows them, through the built executables.
@Suite(.enabled(if: SharedData.has("media/video/classroom.gif"), "no shared data beside the checkout"))
struct SmallFacesTests {
    private static let films = [
        "classroom.gif", "face-demographics-walking.gif", "store-aisle-detection.gif",
    ]

    private func run(_ film: String, _ options: String...) -> ProgramResult {
        let scope = TestScope()
        scope.write("p.toml", "[source]\nkind = \"test\"\n[face]\n")
        return Program.run(
            Program.built("glimpsed"),
            ["pipeline", scope.path("p.toml"), "--source", SharedData.path("media/video/\(film)"), "--explain"]
                + options.flatMap { ["--set", $0] }, within: .seconds(600))
    }

    private struct Line: Decodable {
        struct Entry: Decodable {
            var cause: String
            var key: String?
        }

        var type: String
        var untracked: [Entry]?
    }

    private func lines(_ result: ProgramResult) throws -> [Line] {
        try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test(arguments: films) func aFilmOfSmallFacesReportsTheMinSizeThatShowsThem(film: String) throws {
        let result = run(film)
        let small = try lines(result).filter { $0.untracked?.contains { $0.cause == "too_small" } == true }
        #expect(small.count == 1, "\(film): \(result.errors)")
        #expect(small.allSatisfy { $0.untracked?.allSatisfy { $0.key == "min_size" } == true })
        #expect(try !lines(result).contains { $0.type == "detected" })
        let remark = try #require(result.errors.firstMatch(of: /below min_size; min_size = (0\.[0-9]+) shows/))
        #expect(result.errors.matches(of: /below min_size/).count == 1)
        // Equal lines again, and faces with the named value.
        #expect(run(film).lines == result.lines)
        let shown = run(film, "face.min_size=\(remark.output.1)")
        #expect(try lines(shown).contains { $0.type == "detected" }, "\(film) with \(remark.output.1)")
    }

    @Test func smallFacesAreNotSearchedWhenCheckMinSizeIsOff() throws {
        let result = run("classroom.gif", "face.check_min_size=false")
        #expect(!result.errors.contains("min_size") && !result.lines.contains { $0.contains("too_small") })
    }

    @Test func doctorTriesAPipelineAndNamesTheMinSizeThatShowsItsFaces() {
        let scope = TestScope()
        let film = SharedData.path("media/video/classroom.gif")
        scope.write("p.toml", "[source]\nkind = \"file\"\npath = \"\(film)\"\n[face]\n")
        let result = Program.run(
            Program.built("glimpsed"), ["doctor", "--pipeline", scope.path("p.toml")], within: .seconds(120))
        let line = /none    face: 0 tracks in [0-9]+ frames; [0-9]+ faces are below min_size; min_size = 0/
        #expect(result.errors.contains(line), "\(result)")
    }

    @Test func aFilmWithoutAnyFaceSaysSo() {
        let result = run("one-by-one-person-detection.mp4")
        #expect(result.errors.contains(/face: 0 tracks in [0-9]+ frames; no smaller face either/), "\(result.errors)")
        let unsearched = run("classroom.gif", "face.check_min_size=false")
        #expect(unsearched.errors.contains(/face: 0 tracks in [0-9]+ frames\n/), "\(unsearched.errors)")
    }
}
