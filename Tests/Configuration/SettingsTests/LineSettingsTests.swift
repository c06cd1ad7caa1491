// SPDX-License-Identifier: Apache-2.0
import Observations
@testable import Settings
import Testing

/// `[[line]]`: lines to cross.
@Suite struct LineSettingsTests {
    private static let start = "[source]\nkind = \"test\"\n[object]\n"
    private static let door = "[[line]]\nname = \"door\"\nfrom = [0.2, 0.5]\nto = [0.8, 0.5]\n"

    @Test func aLineHasDefaults() throws {
        let settings = try PipelineSettings.parse(Self.start + Self.door)
        #expect(
            settings.lines == [CrossingLine(name: "door", from: Point(x: 0.2, y: 0.5), to: Point(x: 0.8, y: 0.5))])
    }

    @Test(
        arguments: [
            ("[[line]]\nfrom = [0, 0]\nto = [1, 0]", "4: [line.0] name is missing; such as name = \"door\""),
            ("[[line]]\nname = \"a\"\nto = [1, 0]", "4: [line.0] from is missing; such as from = [0.2, 0.5]"),
            ("[[line]]\nname = \"a\"\nfrom = [1, 0]", "4: [line.0] to is missing; such as to = [0.8, 0.5]"),
            (
                "[[line]]\nname = \"a\"\nfrom = [1, 0]\nto = [1, 0]",
                "7: [line.0] to must be another point than from; such as from = [0.2, 0.5], to = [0.8, 0.5]"
            ),
            (
                "[[line]]\nname = \"a\"\nfrom = [0.5, 0]\nto = [2, 0]", "7: [line.0] to[0] must be 0 to 1, not 2"
            ),
            (
                door + "kinds = [\"faces\"]",
                "8: [line.0] kinds has \"faces\", which no detector gives; did you mean \"face\"?"
            ),
            (
                door + "labels = [\"person\"]",
                "8: [line.0] labels need a detector that gives labels; set object.classify = true"
            ),
            (door + "hysteresis = 0.6", "8: [line.0] hysteresis must be 0 to 0.5, not 0.6"),
            (door + "label = \"person\"", "8: [line.0] unknown key \"label\"; did you mean \"labels\"?"),
            (door + door, "9: [line.1] name \"door\" is another line's too"),
            ("[line]\nname = \"a\"", "4: line must be tables, not a table; write [[line]]"),
        ])
    func errorsOfLinesHaveExactMessages(tables: String, message: String) {
        #expect(pipelineProblems(Self.start + tables) == ["p.toml:\(message)"])
    }

    @Test func linesAreAtMostThirtyTwo() {
        let tables = (0..<33).map { Self.door.replacing("door", with: "door\($0)") }.joined()
        #expect(pipelineProblems(Self.start + tables).contains { $0.hasSuffix("lines must be at most 32, not 33") })
    }

    @Test func linesChangeWithoutANewWorker() throws {
        let old = try PipelineSettings.parse(Self.start + Self.door)
        #expect(try old.takeOver(.parse(Self.start))?.detectors == [])
    }
}
