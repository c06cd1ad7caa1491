import GlimpseTesting
import Testing

@testable import Settings

@Suite struct ValuePatternTests {
    @Test(arguments: [
        ("^https://", "https://glimpse.example", true), ("^https://", "see https://glimpse.example", false),
        ("example", "https://glimpse.example", true), ("^[0-9]{8,13}$", "4006381333931", true),
        ("^[0-9]{8,13}$", "4006381333931x", false), ("^(a|b)+$", "abba", true), ("^ä$", "ä", true), ("^$", "", true),
        ("b$", "a\u{0}b", true), ("^b", "a\nb", false),
    ])
    func isFoundAnywhere(pattern: String, value: String, expected: Bool) throws {
        #expect(try ValuePattern(pattern).isFound(in: value) == expected)
    }

    /// Patterns on which backtracking engines take exponential or cubic time, and values made for it. Without a bound none of these would
    /// end within the lifetime of the machine.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(x+x+)+y", "a*a*a*a*a*a*b", "(.*)(.*)(.*)(.*)z"])
    func hostileValuesCannotMakeItSlow(pattern: String) throws {
        let pattern = try ValuePattern(pattern)
        for letter in ["a", "x"] { #expect(!pattern.isFound(in: String(repeating: letter, count: 7089) + "!")) }
    }

    @Test func textOfAnyKindIsTakenOrRefused() {
        var random = SeededRandom(seed: 11)
        let alphabet = Array("ab()[]{}*+?|^$.\\,0129-é\u{0}")
        var refused = 0
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 1...12, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            do {
                _ = try ValuePattern(text).isFound(in: "ab01(){}")
            } catch {
                #expect(!error.text.isEmpty)
                refused += 1
            }
        }
        #expect(refused > 100 && refused < 2000)
    }
}
