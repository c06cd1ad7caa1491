// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Two detectors of one kind in one pipeline, through the built executables.
@Suite(.enabled(if: SharedData.has("media/video/bottle-detection.mp4"), "no shared data beside the checkout"))
struct NamedDetectorFilmTests {
    private struct Line: Decodable {
        struct Track: Decodable { var id: String }

        var type: String
        var detector: String?
        var kind: String?
        var track: Track?
        var confidence: Double?
        var zones: [String]?
    }

    private let scope = TestScope()

    private func glimpsed(_ arguments: String...) -> ProgramResult {
        Program.run(Program.built("glimpsed"), arguments, within: .seconds(600))
    }

    @Test func twoDetectorsOfObjectsHaveTracksOfTheirOwn() throws {
        let film = SharedData.path("media/video/bottle-detection.mp4")
        let table = "[object]\nconfidence = 0.4\nmax_rate = 5\n"
        let source = "[source]\nkind = \"file\"\npath = \"\(film)\"\n"
        let zone = "[[zone]]\nname = \"all\"\nkinds = [\"object\"]\npolygon = [[0, 0], [1, 0], [1, 1], [0, 1]]\n"
        scope.write("one.toml", source + table)
        scope.write(
            "two.toml",
            source + table + "[[detector]]\nname = \"sure\"\nkind = \"object\"\nconfidence = 0.7\nmax_rate = 5\n" + zone
        )
        let one = glimpsed("pipeline", scope.path("one.toml"), "--set", "name=two")
        let two = glimpsed("pipeline", scope.path("two.toml"), "--record", scope.path("tape"))
        #expect(one.status == 0 && two.status == 0, "\(two)")
        let lines = try two.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        let tracks = lines.filter { $0.type == "detected" }
        #expect(Set(tracks.map(\.detector)) == ["object", "sure"] && tracks.allSatisfy { $0.kind == "object" })
        #expect(Set(tracks.map { "\($0.detector ?? "") \($0.track?.id ?? "")" }).count == tracks.count)
        // A weak detection starts no track of the sure one.
        #expect(tracks.filter { $0.detector == "sure" }.count < tracks.filter { $0.detector == "object" }.count)
        // The zone holds tracks of both.
        #expect(tracks.allSatisfy { $0.zones == ["all"] })
        // A neighbour changes nothing but ids.
        func steps(_ result: ProgramResult) throws -> [String] {
            try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
                .filter { $0.detector == "object" && $0.type != "zone" }.map { "\($0.type) \($0.confidence ?? 0)" }
        }
        #expect(try steps(one) == steps(two))
        // The tape gives the same lines again.
        #expect(glimpsed("replay", scope.path("tape")).lines == two.lines)
        let conform = Program.run(
            Program.built("glimpsed"), ["conform", "-"], input: two.lines.joined(separator: "\n") + "\n")
        #expect(conform.status == 0, "\(conform)")
    }
}
