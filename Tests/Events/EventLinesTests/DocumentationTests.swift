// SPDX-License-Identifier: Apache-2.0
import Conformance
import Foundation
import GlimpseTesting
import Testing

/// The lines of the documentation follow the schema.
@Suite struct DocumentationTests {
    /// The pages about the stream.
    private static let pages = [
        "reference/events", "reference/track-lines", "reference/barcode-values", "reference/explain",
        "reference/subscribe", "reference/search",
    ]

    @Test(arguments: ["reference/events", "reference/track-lines", "reference/search"])
    func linesOfTheEventPagesFollowTheSchema(name: String) throws {
        let lines = try page(name).components(separatedBy: "```json\n").dropFirst()
            .flatMap { $0.components(separatedBy: "```")[0].split(separator: "\n") }
        #expect(!lines.isEmpty)
        #expect(try EventSchema.violations(in: lines.map { Array($0.utf8) }) == [])
    }

    @Test(arguments: StreamSchema.types) func everyTypeOfLineIsDocumented(type: String) throws {
        #expect(try page("reference/events").contains("`\(type)`"))
    }

    /// Every member and every listed value of the published schema stands on a page, in code or in an example.
    @Test func everyNameOfTheSchemaIsDocumented() throws {
        let pages = try Self.pages.map(page).joined()
        var names = Set<String>()
        collectNames(
            of: try JSONSerialization.jsonObject(
                with: Data(TestFile.read("\(Checkout.root)/docs/events.schema.json"))),
            into: &names)
        #expect(names.count > 250)
        let marks = ["`", "\"", ".", ":"]
        for name in names.sorted() {
            let isDocumented = marks.contains { start in
                marks.contains { pages.contains("\(start)\(name)\($0)") }
            }
            #expect(isDocumented, "\(name)")
        }
    }

    @Test(arguments: [
        "below_threshold", "suppressed", "tentative", "capacity", "out_of_focus", "invalid", "max_gap", "unconfirmed",
        "cooldown", "same_value", "filtered", "undecoded", "confirm_reads", "max_gap_frames", "hits", "payload",
        "focus", "discontinuity", "change", "refresh", "track", "reset", "excess", "previous_id", "smoothed_box",
    ]) func everyExplanationIsDocumented(name: String) throws {
        #expect(try Self.pages.map(page).joined().contains("`\(name)`"))
    }

    private func page(_ name: String) throws -> String {
        try String(contentsOfFile: "\(Checkout.root)/docs/\(name).md", encoding: .utf8)
    }

    /// The names of members and the values of enumerations, anywhere in a JSON Schema.
    private func collectNames(of node: Any, into names: inout Set<String>) {
        if let list = node as? [Any] { for element in list { collectNames(of: element, into: &names) } }
        guard let object = node as? [String: Any] else { return }
        if let properties = object["properties"] as? [String: Any] { names.formUnion(properties.keys) }
        names.formUnion((object["enum"] as? [Any] ?? []).compactMap { $0 as? String })
        for value in object.values { collectNames(of: value, into: &names) }
    }
}
