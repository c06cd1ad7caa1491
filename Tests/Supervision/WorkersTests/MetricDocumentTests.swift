// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Observations
import Testing

/// The tables of metrics, and what `docs/reference/control.md` says of them. `make key-documents` writes the page anew.
@Suite struct MetricDocumentTests {
    private static let writes = ProcessInfo.processInfo.environment["GLIMPSE_WRITE_DOCUMENTS"] == "1"

    private func lines<Key: MetricKey>(_ key: Key.Type, of object: String) -> [String] {
        Key.allCases.map { key in
            let row = key.row
            let rate = row.rate.map { ", `\($0)` per second" } ?? ""
            let name = row.group.map { "\($0).\(row.name)" } ?? row.name
            return "| \(object) | `\(name)`\(rate) | \(row.kind) | \(row.unit) | \(row.meaning) |"
        }
    }

    @Test func theTableOfMetricsIsMadeOfTheRows() throws {
        let table =
            ["| object | member | kind | unit | meaning |", "|---|---|---|---|---|"]
            + lines(SourceMetric.self, of: "`source`") + lines(PictureMetric.self, of: "`pictures`")
            + lines(LaneMetric.self, of: "one of `detectors`")
        let file = "\(Checkout.root)/docs/reference/control.md"
        let page = try String(contentsOfFile: file, encoding: .utf8)
        let wanted = page.replacing(/<!-- metrics -->\n.*?<!-- end -->/.dotMatchesNewlines()) { _ in
            "<!-- metrics -->\n\n\(table.joined(separator: "\n"))\n\n<!-- end -->"
        }
        if Self.writes, page != wanted { try Data(wanted.utf8).write(to: URL(filePath: file)) }
        #expect(page.contains("<!-- metrics -->"))
        #expect(
            page == wanted || Self.writes,
            "docs/reference/control.md is not what the rows say; make key-documents writes it")
    }

    /// Each metric has a member of its own, and a group's members stand together.
    @Test func noTwoRowsOfATableShareAMember() {
        func check<Key: MetricKey>(_ key: Key.Type) {
            let rows = Key.allCases.map(\.row)
            #expect(Set(rows.map { "\($0.group ?? "").\($0.name)" }).count == rows.count)
            let groups = rows.map(\.group)
            let starts = groups.indices.filter { $0 == 0 || groups[$0] != groups[$0 - 1] }.compactMap { groups[$0] }
            #expect(Set(starts).count == starts.count)
            #expect(rows.allSatisfy { $0.rate == nil || $0.kind == .counter })
        }
        check(SourceMetric.self)
        check(PictureMetric.self)
        check(LaneMetric.self)
    }
}
