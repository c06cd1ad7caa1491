import Foundation
import GlimpseTesting
import Testing

/// The lines that the documentation shows are lines that could have been written.
@Suite struct DocumentationTests {
    @Test(arguments: ["events", "search"]) func linesOfThePageFollowTheSchema(name: String) throws {
        let path = "\(Checkout.root)/docs/\(name).md"
        let page = try String(contentsOfFile: path, encoding: .utf8)
        let lines = page.components(separatedBy: "```json\n").dropFirst()
            .flatMap { $0.components(separatedBy: "```")[0].split(separator: "\n") }
            .filter { $0.hasPrefix("{\"v\":") || name == "events" }
        #expect(!lines.isEmpty)
        #expect(try EventSchema.violations(in: lines.map { Array($0.utf8) }) == [])
    }

    @Test func everyNameOfTheSchemaIsOnThePage() throws {
        let page = try String(contentsOfFile: "\(Checkout.root)/docs/events.md", encoding: .utf8)
        let types = [
            "detected", "update", "missing", "completed", "hello", "state", "source", "detector", "gap", "ping",
            "error", "explain", "config", "zone", "search",
        ]
        for type in types { #expect(page.contains("`\(type)`"), "\(type)") }
        let explained = [
            "below_threshold", "suppressed", "tentative", "capacity", "out_of_focus", "invalid", "max_gap",
            "unconfirmed", "cooldown", "same_value", "filtered", "undecoded", "confirm_reads", "max_gap_frames", "hits",
            "payload", "focus", "discontinuity", "previous_id", "smoothed_box",
        ]
        for name in explained { #expect(page.contains("`\(name)`"), "\(name)") }
    }
}
