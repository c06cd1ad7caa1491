// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

@testable import BarcodeValues

/// Compares patterns with glibc's `regcomp` and `regexec`. The patterns are short enough for glibc, without two
/// repetitions in a row.
@Suite struct PatternOracleTests {
    private static let operands = [
        "a", "b", "1", "-", " ", ".", "[ab]", "[^a]", "[a-]", "[[:digit:]]", "[^[:alpha:]b]", "[]1]", "\\.", "\\w",
        "\\W", "\\s",
        "\\S",
    ]
    private static let repetitions = ["*", "+", "?", "{2}", "{1,}", "{0,2}", "{,1}", "{0}", "{1,3}"]
    /// Some of the texts are not valid patterns.
    private static let odd = [
        "(", ")", "(", ")", "|", "^", "$", "[", "]", "{", "}", "{}", "{2,1}", "{1", "[b-a]", "[[:x:]]", "()", "[a-b-c]",
        "\\<", "\\>", "\\b", "\\B", "\\`", "\\'", "[^", "{x}", ",",
    ]

    /// A pattern that stays valid inside another pattern.
    private func pattern(_ depth: Int, anchors: Bool = true, _ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            switch Int.random(in: 0..<12, using: &random) {
            case 0 where anchors: return "^"
            case 1 where anchors: return "$"
            case 2: return "|"
            case 3...5 where depth > 0:
                let repetition = repetition(&random)
                return "(\(pattern(depth - 1, anchors: anchors && repetition.isEmpty, &random)))" + repetition
            default: return Self.operands[Int.random(in: Self.operands.indices, using: &random)] + repetition(&random)
            }
        }.joined()
    }

    private func repetition(_ random: inout SeededRandom) -> String {
        Bool.random(using: &random) ? "" : Self.repetitions[Int.random(in: Self.repetitions.indices, using: &random)]
    }

    private func value(_ random: inout SeededRandom) -> String {
        let letters = Array("aaabb1- .")
        return String(
            (0..<Int.random(in: 0...6, using: &random)).map { _ in
                letters[Int.random(in: letters.indices, using: &random)]
            })
    }

    @Test func patternsMatchWhereGlibcMatches() throws {
        var random = SeededRandom(seed: 21)
        var (found, notFound) = (0, 0)
        for _ in Fuzz.rounds(3000) {
            let text = pattern(2, &random)
            let reference = try #require(GlibcPattern(text), "\(text)")
            let tested = try ValuePattern(text)
            for _ in 0..<5 {
                let value = value(&random)
                let expected = reference.isFound(in: value)
                try #require(tested.isFound(in: value) == expected, "\(text) in \(value)")
                if expected { found += 1 } else { notFound += 1 }
            }
        }
        #expect(found > 2000 && notFound > 2000)
    }

    @Test func patternsThatGlibcRefusesAreRefused() throws {
        var random = SeededRandom(seed: 22)
        var (taken, refused) = (0, 0)
        for _ in Fuzz.rounds(5000) {
            let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                Bool.random(using: &random) ? Self.odd.randomElement(using: &random)! : pattern(0, &random)
            }.joined()
            let reference = GlibcPattern(text)
            let tested = try? ValuePattern(text)
            switch (reference, tested) {
            case (let reference?, let tested?):
                taken += 1
                let value = value(&random)
                try #require(tested.isFound(in: value) == reference.isFound(in: value), "\(text) in \(value)")
            case (nil, nil): refused += 1
            default: Issue.record("only one takes \(text)")
            }
        }
        #expect(taken > 500 && refused > 500)
    }
}

/// The result of glibc in the C locale.
private final class GlibcPattern {
    private let compiled: UnsafeMutablePointer<regex_t>

    /// nil if the pattern is refused.
    init?(_ text: String) {
        let locale = newlocale(LC_CTYPE_MASK, "C", nil)
        let before = uselocale(locale)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
        compiled.initialize(to: regex_t())
        guard regcomp(compiled, text, REG_EXTENDED | REG_NOSUB) == 0 else {
            compiled.deallocate()
            return nil
        }
        self.compiled = compiled
    }

    deinit {
        regfree(compiled)
        compiled.deallocate()
    }

    func isFound(in value: String) -> Bool { regexec(compiled, value, 0, nil, 0) == 0 }
}
