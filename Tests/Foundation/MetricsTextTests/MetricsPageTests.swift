// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import MetricsText
import Testing

/// `docs/reference/metrics.md` and the table of metrics. `make key-documents` writes the page anew.
@Suite struct MetricsPageTests {
    private static let writes = ProcessInfo.processInfo.environment["GLIMPSE_WRITE_DOCUMENTS"] == "1"

    @Test func theTableOfThePageIsMadeOfTheFamilies() throws {
        let rows = MetricFamily.all.map { family in
            let labels = family.labels.map { "`\($0)`" }.joined(separator: ", ")
            return
                "| `\(family.name)` | \(family.kind.rawValue) | \(labels) | \(family.help). | \(family.source.rawValue) |"
        }
        let table = (["| metric | type | labels | meaning | of |", "|---|---|---|---|---|"] + rows)
        let file = "\(Checkout.root)/docs/reference/metrics.md"
        let page = try String(contentsOfFile: file, encoding: .utf8)
        let wanted = page.replacing(/<!-- families -->\n.*?<!-- end -->/.dotMatchesNewlines()) { _ in
            "<!-- families -->\n\n\(table.joined(separator: "\n"))\n\n<!-- end -->"
        }
        if Self.writes, page != wanted { try Data(wanted.utf8).write(to: URL(filePath: file)) }
        #expect(page.contains("<!-- families -->"))
        #expect(
            page == wanted || Self.writes,
            "docs/reference/metrics.md is not what the families say; make key-documents writes it")
    }
}
