// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// docs/reference/errors.md quotes the program. A changed text of an error fails here until the page has it.
@Suite struct ErrorsPageTests {
    private let page: String
    private let sources: String

    init() throws {
        page = try String(contentsOfFile: "\(Checkout.root)/docs/reference/errors.md", encoding: .utf8)
        var sources = ""
        for case let file as String in FileManager.default.enumerator(atPath: "\(Checkout.root)/Sources") ?? .init()
        where file.hasSuffix(".swift") || file.hasSuffix(".cpp") {
            sources += try String(contentsOfFile: "\(Checkout.root)/Sources/\(file)", encoding: .utf8)
        }
        self.sources = sources.replacing("\\\"", with: "\"")
    }

    @Test func everyErrorTextIsInTheSources() throws {
        let tables = try #require(page.components(separatedBy: "## What an error means").dropFirst().first)
        let rows = tables.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count > 40)
        for row in rows {
            let cell = row.dropFirst(2).prefix { $0 != "|" }
            let quoted = cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map(\.element)
            for text in quoted {
                let fragments = text.split(separator: "...").map { $0.trimmingCharacters(in: .whitespaces) }
                    .filter { $0.count > 3 }
                #expect(!fragments.isEmpty, "\(text) says nothing that could be looked for")
                for fragment in fragments { #expect(sources.contains(fragment), "\(text): \(fragment)") }
            }
        }
    }

    @Test func everyExitStatusIsExplained() throws {
        let section = try #require(
            page.components(separatedBy: "## Exit status").dropFirst().first?.components(separatedBy: "\n## ").first)
        for file in ["Products/glimpsed/ExitStatus.swift", "Products/glimpsed-worker/ExitStatus.swift"] {
            let text = try String(contentsOfFile: "\(Checkout.root)/Sources/\(file)", encoding: .utf8)
            let numbers = text.matches(of: /(?:ExitCode\(|case \w+ = )(\d+)/).map { String($0.output.1) }
            #expect(numbers.count >= 5)
            for number in numbers { #expect(section.contains("| \(number) |"), "\(file): \(number)") }
        }
    }
}
