@testable import BarcodeValues
import GlimpseTesting
import Testing

@Suite struct ValuePatternTests {
    @Test(arguments: [
        ("^https://", "https://glimpse.example", true), ("^https://", "see https://glimpse.example", false),
        ("example", "https://glimpse.example", true), ("^[0-9]{8,13}$", "4006381333931", true),
        ("^[0-9]{8,13}$", "4006381333931x", false), ("^(a|b)+$", "abba", true), ("^ä$", "ä", true), ("^$", "", true),
        ("b$", "a\u{0}b", true), ("^b", "a\nb", false), ("^$", "a", false), ("b|^c", "ac", false), ("b|^c", "cb", true),
        ("x", String(repeating: "a", count: 1023) + "x", true), ("x", String(repeating: "a", count: 1024) + "x", false),
    ])
    func isFoundAnywhere(pattern: String, value: String, expected: Bool) throws {
        #expect(try ValuePattern(pattern).isFound(in: value) == expected)
    }

    @Test(arguments: [
        (String(repeating: "a", count: 257), "is longer than 256 bytes"), ("a\u{0}", "must not contain a zero byte"),
        ("(a)\\1", "must not have back-references: their cost has no bound"),
        ("(a{9}){9}", "must not repeat anything more than 64 times"),
        ("(a{9}b){9}", "must not repeat anything more than 64 times"),
        ("a{33}+", "must not repeat anything more than 64 times"),
        ("a+++++++", "must not repeat anything more than 64 times"),
        ("((((((([a)]+)+)+)+)+)+)+", "must not repeat anything more than 64 times"),
        ("(a+)+++++++++.++++++++++++++++++++++++$", "must not repeat anything more than 64 times"),
        ("a{999999999999999999999}", "is not a regular expression: Regular expression too big"),
        ("a)(b", "is not a regular expression: Unmatched ( or \\("),
        ("(", "is not a regular expression: Unmatched ( or \\("),
    ])
    func saysWhyATextIsNoPattern(text: String, problem: String) {
        #expect(throws: ValuePattern.Problem(text: problem)) { try ValuePattern(text) }
    }

    @Test(arguments: [
        "^[0-9]{8}[a-z]{20}-[0-9]{13}$", "a+b+c+d+e+f+g+h+", "(((((a+)+)+)+)+)+", "[+++++++++]\\+\\+", "a*******",
        "(a|b){32}+", "[]+++++++]",
        "[[:alpha:]++++++++]",
    ])
    func whatStandsSideBySideIsNotMultiplied(pattern: String) throws { _ = try ValuePattern(pattern) }

    /// Patterns of repetitions, at random: whatever is not refused is compiled at once.
    @Test(.timeLimit(.minutes(1))) func repetitionsAreBounded() throws {
        var random = SeededRandom(seed: 12)
        let pieces = ["a", "(", ")", "+", "+", "*", "?", "{2}", "{3,}", "{,9}", "|", "[a+]", "\\+", ".", "^", "$"]
        var compiled = 0
        for _ in Fuzz.rounds(2000) {
            let text = (0..<Int.random(in: 1...60, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            if let pattern = try? ValuePattern(text.joined()) {
                compiled += 1
                _ = pattern.isFound(in: "aaaaaaaaaaaaaaaaaaaaaaaaaaaa+!")
            }
        }
        #expect(compiled > 10)
    }

    /// Patterns on which backtracking engines take exponential or cubic time, and values made for it. Without a bound none of these would
    /// end within the lifetime of the machine.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(x+x+)+y", "a*a*a*a*a*a*b", "(.*)(.*)(.*)(.*)z",
            ".*a.{64}$y", "[ab]*a[ab]{64}y",
        ])
    func hostileValuesCannotMakeItSlow(pattern: String) throws {
        let pattern = try ValuePattern(pattern)
        for letter in ["a", "x"] { #expect(!pattern.isFound(in: String(repeating: letter, count: 1023) + "!")) }
        // As many values as make the automaton anew several times.
        var random = SeededRandom(seed: 3)
        for _ in 0..<40 {
            let value = String((0..<1000).map { _ in Bool.random(using: &random) ? "a" : "b" })
            #expect(pattern.isFound(in: value + "!") == pattern.isFound(in: value + "!"))
        }
    }

    @Test func textOfAnyKindIsTakenOrRefused() {
        var random = SeededRandom(seed: 11)
        let alphabet = Array("ab()[]{}*+?|^$.\\,0129-é\u{0}")
        var refused = 0
        for _ in Fuzz.rounds(2000) {
            let text = String(
                (0..<Int.random(in: 1...12, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            do {
                _ = try ValuePattern(text).isFound(in: "ab01(){}")
            } catch {
                #expect(!error.text.isEmpty)
                refused += 1
            }
        }
        #expect(refused > 100)
    }
}
