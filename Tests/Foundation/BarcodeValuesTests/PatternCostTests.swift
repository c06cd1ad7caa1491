// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import BarcodeValues

/// No pattern and no value makes matching slow. The measure is steps and not time: a state is reached once in a place.
@Suite struct PatternCostTests {
    /// Matches, and checks that the steps are at most states times places.
    private func search(_ matcher: inout PatternMatcher, states: Int, _ value: String) throws -> Bool {
        let before = matcher.visits
        matcher.begin(value)
        var steps = Int.max
        let answer = matcher.isFound(steps: &steps)
        try #require(Int.max - steps == Int(matcher.visits - before))
        let places = min(value.unicodeScalars.count, ValuePattern.longestValue) + 1
        try #require((1...states * places).contains(Int(matcher.visits - before)))
        try #require(answer != nil)
        return answer == true
    }

    /// The first line has patterns that take exponential or cubic time with backtracking. The next patterns exhaust
    /// time or memory in glibc's `regcomp`. The last programs have the greatest number of states, all reached in every
    /// place.
    @Test(arguments: [
        "^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(x+x+)+y", "a*a*a*a*a*a*y", "(.*)(.*)(.*)(.*)z", ".*a.{64}$y",
        "[ab]*a[ab]{64}y",
        "^(a|b)*++++++$", "(a*|b*|c*|d*|e*)++{16}y", "((a*b*)*c*)*+++y", String(repeating: "(a*b*)++", count: 8) + "y",
        "(a+)+++++++++.++++++++++++++++++++++++$y", "(((((([a)]+)+)+)+)+)+)+y",
        "a" + String(repeating: "+", count: 254) + "y", "a" + String(repeating: "*", count: 254) + "y",
        String(repeating: "(", count: 64) + "a*" + String(repeating: ")*", count: 64) + "y",
        "(a?){255}y", "(a|x|b|.){51}y", "(a*x*){85}y", "((((a?)+)?)+){100}y", "(.*){120}y", "(\\b|\\B|.){72}y",
    ])
    func matchingAPatternTakesAtMostStatesTimesPlaces(pattern: String) throws {
        let program = try PatternProgram(PatternParser.parse(pattern))
        var matcher = PatternMatcher(program)
        for value in ["a", "x"].map({ String(repeating: $0, count: 1023) + "!" }) + ["", "y"] {
            let isFound = try search(&matcher, states: program.states.count, value)
            // Each pattern matches only values with `y`. The patterns of `a` or nothing match no value.
            #expect(!isFound || value.utf8.count < 2)
        }
        var random = SeededRandom(seed: 3)
        let value = String((0..<500).map { _ in Bool.random(using: &random) ? "a" : "b" }) + "!"
        let isFound = try search(&matcher, states: program.states.count, value)
        #expect(!isFound)
    }

    /// The cost of a pattern that begins with `^` depends on the pattern's beginning, not on the value's length.
    @Test(arguments: ["^9", "^(ab|9)", "^(^9|8)+x", "(^|^\\b)9", "(^a)?(^9)"])
    func anAnchoredPatternIsTriedOnce(pattern: String) throws {
        let program = try PatternProgram(PatternParser.parse(pattern))
        #expect(program.isAnchored)
        var matcher = PatternMatcher(program)
        #expect(try !search(&matcher, states: program.states.count, "7" + String(repeating: "9", count: 1000)))
        #expect(matcher.visits <= 2 * UInt64(program.states.count))
    }

    @Test(arguments: ["9", "(^9)?", "(^|x)9", "$", "\\b9", ""])
    func unanchoredPatternsBeginAnywhere(pattern: String) throws {
        #expect(try !PatternProgram(PatternParser.parse(pattern)).isAnchored)
    }

    /// A matcher that is reused keeps no state of earlier values.
    @Test func answersOfAPatternDoNotDependOnEarlierValues() throws {
        let pattern = try ValuePattern("^(ab|c)*d?$")
        for _ in 0..<3 {
            for (value, expected) in [
                ("abc", true), ("ab", true), ("a", false), ("", true), ("abd", true), ("b", false),
            ] {
                #expect(pattern.isFound(in: value) == expected)
            }
        }
    }

    /// A value is not matched again, unless too many other values were matched since.
    @Test func answersOfAPatternAreCached() throws {
        var answers = PatternAnswers(try PatternProgram(PatternParser.parse("^..$")))
        func isFound(_ value: String) -> (Bool, looked: Bool) {
            let before = answers.matcher.visits
            var steps = Int.max
            let answer = answers.isFound(in: value, steps: &steps)
            return (answer ?? false, answers.matcher.visits != before)
        }
        for looked in [true, false] {
            // `String` takes them for equal, though their characters differ.
            #expect(isFound("é") == (false, looked) && isFound("e\u{301}") == (true, looked))
            #expect(isFound("") == (false, looked))
        }
        for number in 100..<100 + PatternAnswers.mostKept { #expect(isFound("\(number)") == (false, true)) }
        #expect(isFound("é") == (false, true) && isFound("é") == (false, false))
    }

    /// Random repetitions of repetitions. A pattern that is not refused compiles at once.
    @Test func repetitionsOfAPatternAreBounded() throws {
        var random = SeededRandom(seed: 12)
        let pieces = [
            "a", "(", ")", "+", "+", "*", "?", "{2}", "{3,}", "{,9}", "|", "[a+]", "\\+", ".", "^", "$", "()",
        ]
        var compiled = 0
        for _ in Fuzz.rounds(4000) {
            let length = Int.random(in: 1...40, using: &random)
            let text = (0..<length).map { _ in pieces.randomElement(using: &random)! }.joined()
            guard let program = try? PatternProgram(PatternParser.parse(text)) else { continue }
            compiled += 1
            try #require(program.states.count <= PatternProgram.mostStates)
            var matcher = PatternMatcher(program)
            _ = try search(&matcher, states: program.states.count, "aaaaaaaaaaaaaaaaaaaaaaaaaaaa+!")
        }
        #expect(compiled > 200)
    }
}
