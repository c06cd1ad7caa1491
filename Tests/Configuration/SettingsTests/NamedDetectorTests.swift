// SPDX-License-Identifier: Apache-2.0
@testable import Settings
import Testing

/// `[[detector]]`: further detectors with names of their own.
@Suite struct NamedDetectorTests {
    private static let start = "[source]\nkind = \"test\"\n[object]\n"

    private func settings(_ tables: String) throws -> PipelineSettings { try .parse(Self.start + tables) }

    @Test func detectorsOfOneKindHaveSettingsOfTheirOwn() throws {
        let settings = try settings(
            """
            confidence = 0.4
            [[detector]]
            name = "plates"
            kind = "object"
            confidence = 0.7
            max_rate = 2
            tracking.hits = 5
            [[detector]]
            name = "far"
            kind = "face"
            enabled = false
            """)
        #expect(settings.detectors.map(\.name) == ["object", "plates", "far"])
        #expect(settings.detectors.map(\.kind) == [.object, .object, .face])
        #expect(settings.runningDetectors.map(\.name) == ["object", "plates"])
        let plates = try #require(settings.detectors[1].table as? ObjectSettings)
        #expect(plates.confidence == 0.7 && plates.common.maxRate == 2 && plates.tracking.hits == 5)
        #expect(settings[ObjectSettings.self]?.confidence == 0.4)
    }

    @Test(
        arguments: [
            ("[[detector]]\nkind = \"face\"", "4: [detector.0] name is missing; such as name = \"plates\""),
            ("[[detector]]\nname = \"a\"", "4: [detector.0] kind is missing; such as kind = \"object\""),
            (
                "[[detector]]\nname = \"a\"\nkind = \"faces\"",
                "6: [detector.0] kind must be one of \"face\", \"barcode\", \"object\", \"scene\", not \"faces\"; did you mean \"face\"?"
            ),
            (
                "[[detector]]\nname = \"face\"\nkind = \"face\"",
                "5: [detector.0] name must not be \"face\", the name of a kind"
            ),
            (
                "[[detector]]\nname = \"box\"\nkind = \"face\"",
                "5: [detector.0] name must not be \"box\", the name of a field of events"
            ),
            (
                "[[detector]]\nname = \"a b\"\nkind = \"face\"",
                "5: [detector.0] name must be 1 to 32 characters of a-z, 0-9 and _ that begin with a letter, not \"a b\""
            ),
            (
                "[[detector]]\nname = \"a\"\nkind = \"face\"\nmin_sise = 0.2",
                "7: [detector.0] unknown key \"min_sise\"; did you mean \"min_size\"?"
            ),
            (
                "[[detector]]\nname = \"a\"\nkind = \"face\"\n[[detector]]\nname = \"a\"\nkind = \"face\"",
                "8: [detector.1] name \"a\" is another detector's too"
            ),
            ("[detector]\nname = \"a\"", "4: detector must be tables, not a table; write [[detector]]"),
        ])
    func errorsOfNamedDetectorsHaveExactMessages(tables: String, message: String) {
        #expect(pipelineProblems(Self.start + tables) == ["p.toml:\(message)"])
    }

    @Test func detectorsAreAtMostSixteen() {
        let tables = (0..<17).map { "[[detector]]\nname = \"d\($0)\"\nkind = \"barcode\"\n" }.joined()
        #expect(pipelineProblems(Self.start + tables).contains { $0.hasSuffix("detectors must be at most 16, not 17") })
    }

    @Test func aReloadChangesOneOfTwoDetectors() throws {
        let table = "[[detector]]\nname = \"plates\"\nkind = \"object\"\n"
        let old = try settings(table)
        #expect(try old.takeOver(settings(table + "max_rate = 3"))?.detectors == [])
        #expect(try old.takeOver(settings(table + "roi = [0, 0, 0.5, 1]"))?.detectors == ["plates"])
        // Another name is another detector.
        #expect(try old.takeOver(settings(table.replacing("plates", with: "signs"))) == nil)
    }

    @Test func noDetectorOfBarcodesShowsWhatAnotherOneRedacts() throws {
        let settings = try PipelineSettings.parse(
            """
            [source]
            kind = "test"
            [barcode]
            [[detector]]
            name = "passes"
            kind = "barcode"
            redact = ["boarding_pass"]
            """)
        #expect(settings.barcodeReporting.redactions.map(\.format) == [.boardingPass])
    }
}
