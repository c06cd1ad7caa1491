// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Settings

/// The documents agree with the rows of the keys. `make key-documents` writes the documents.
@Suite struct SettingsDocumentTests {
    private static let writes = ProcessInfo.processInfo.environment["GLIMPSE_WRITE_DOCUMENTS"] == "1"

    private func expect(_ path: String, _ wanted: (String) throws -> String) throws {
        let file = repository.appending(path: path)
        let text = try String(contentsOf: file, encoding: .utf8)
        let wanted = try wanted(text)
        if Self.writes, text != wanted { try Data(wanted.utf8).write(to: file) }
        #expect(text == wanted || Self.writes, "\(path) is not what the rows say; make key-documents writes it anew")
    }

    @Test func theExampleConfigurationIsGeneratedFromTheKeyRows() throws {
        try expect("config.example.toml") { _ in SettingsDocuments.example }
    }

    /// The reference pages, as paths in the checkout.
    private static var pages: [String] {
        get throws {
            let folder = repository.appending(path: "docs/reference").path
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            return names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/reference/\($0)" }
        }
    }

    /// Each table stands once in `docs/reference/`, between two comments.
    @Test func keyTablesOfTheDocumentationAreGeneratedFromTheKeyRows() throws {
        let tables = SettingsDocuments.tables
        var places: [String] = []
        for page in try Self.pages {
            try expect(page) { text in
                text.replacing(/<!-- keys of ([a-z.]+) -->\n.*?<!-- end -->/.dotMatchesNewlines()) { match in
                    let name = String(match.output.1)
                    places.append(name)
                    return "<!-- keys of \(name) -->\n\n\(tables[name] ?? "no such table")\n\n<!-- end -->"
                }
            }
        }
        #expect(places.sorted() == tables.keys.sorted())
    }

    /// Every table of keys names existing keys. This includes the tables that are written by hand.
    @Test func keysThatTheDocumentationNamesExist() throws {
        let rows = SettingsDocuments.tables.values.joined(separator: "\n").matches(of: /\| `([a-z_.]+)` \|/)
        let names = Set(rows.map(\.output.1)).union(DaemonSettings.keys.map { $0.name[...] })
        var documented = 0
        for page in try Self.pages where page.contains("/config") {
            let text = try String(contentsOf: repository.appending(path: page), encoding: .utf8)
            var isTableOfKeys = false
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                isTableOfKeys = line.hasPrefix("| key |") || isTableOfKeys && line.hasPrefix("|")
                guard isTableOfKeys else { continue }
                let cell = line.split(separator: "|").first ?? ""
                for match in cell.matches(of: /`([a-z_.]+)`/) {
                    #expect(names.contains(match.output.1), "\(page): \(line)")
                    documented += 1
                }
            }
        }
        #expect(documented > names.count)
    }
}
