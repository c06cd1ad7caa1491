// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

@testable import Conformance

/// The lines are checked against the published schema.
@Suite struct SchemaDocumentTests {
    /// `UPDATE_GOLDEN=1` writes it.
    @Test func thePublishedSchemaEqualsTheTable() throws {
        let file = URL(filePath: "\(Checkout.root)/docs/events.schema.json")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try SchemaDocument.text.write(to: file, atomically: true, encoding: .utf8)
        }
        let written = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        for change in SchemaDocument.text.components(separatedBy: "\n").difference(from: written) {
            switch change {
            case .insert(_, let line, _): Issue.record("docs/events.schema.json: is now  \(line)")
            case .remove(_, let line, _): Issue.record("docs/events.schema.json: says     \(line)")
            }
        }
    }

    @Test func everyNameOfTheSchemaIsDefinedAndUsed() throws {
        let text = SchemaDocument.text
        _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
        for name in StreamSchema.definitionOrder {
            #expect(text.contains("\"#/$defs/\(name)\""), "\(name)")
            #expect(StreamSchema.definitionOrder.count { $0 == name } == 1)
        }
        for name in StreamSchema.descriptions.keys {
            #expect(
                StreamSchema.definitions[name] != nil || StreamSchema.types.contains { name == "\($0)_line" }, "\(name)"
            )
        }
    }

    /// The hand-written check agrees with the pattern.
    @Test func formsOfTheSchemaEqualTheirPatterns() throws {
        let forms: [TextForm] = [
            .name, .time, .base64, .base32, .sha256, .digits(2...4), .digits(3...3), .capitals(2), .decimal, .moment,
            .day,
        ]
        let right = [
            "a_9", "1970-01-01T00:00:00.000000000Z", "QUJD", "QUI=", "QQ==", "ABC2", String(repeating: "0f", count: 32),
            "123", "12", "1234", "AB", "1.50", "7", "2027-07", "2027-07-01", "2027-07-01T10", "2027-07-01T10:30",
            "2027-07-01T10:30:59",
        ]
        var random = SeededRandom(seed: 3)
        let letters = Array("aAz9_0=+/.:-TZ ")
        for form in forms {
            let pattern = try Regex(#require(form.pattern))
            for _ in 0..<400 {
                var text = Array(right.randomElement(using: &random) ?? "")
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    let place = Int.random(in: 0...text.count, using: &random)
                    let letter = letters.randomElement(using: &random) ?? "a"
                    if Bool.random(using: &random), place < text.count {
                        text[place] = letter
                    } else {
                        text.insert(letter, at: place)
                    }
                }
                let word = String(text)
                #expect(try form.fits(word) == (pattern.wholeMatch(in: word) != nil), "\(form) \(word)")
            }
        }
    }
}
