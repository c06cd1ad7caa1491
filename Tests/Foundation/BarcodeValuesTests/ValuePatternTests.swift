// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import BarcodeValues

@Suite struct ValuePatternTests {
    @Test(arguments: [
        ("^https://", "https://glimpse.example", true), ("^https://", "see https://glimpse.example", false),
        ("example", "https://glimpse.example", true), ("^[0-9]{8,13}$", "4006381333931", true),
        ("^[0-9]{8,13}$", "4006381333931x", false), ("^[0-9]{8,13}$", "4006381", false), ("^(a|b)+$", "abba", true),
        ("^ä$", "ä", true), ("^$", "", true), ("", "", true), ("", "a", true), ("a", "", false),
        ("b$", "a\u{0}b", true), ("^b", "a\nb", false), ("^$", "a", false), ("b|^c", "ac", false), ("b|^c", "cb", true),
        ("x", String(repeating: "a", count: 1023) + "x", true), ("x", String(repeating: "a", count: 1024) + "x", false),
        // A character that the limit of 1024 bytes cuts is left out.
        ("^a*$", String(repeating: "a", count: 1023) + "é", true),
        ("é", String(repeating: "a", count: 1023) + "é", false),
        ("é", String(repeating: "a", count: 1022) + "é", true),
    ])
    func aValuePatternMatchesAnywhere(pattern: String, value: String, expected: Bool) throws {
        #expect(try ValuePattern(pattern).isFound(in: value) == expected)
    }

    @Test(arguments: [
        // A character is a code point.
        ("^.$", "é", true), ("^.$", "\u{1F600}", true), ("^..$", "e\u{301}", true), ("^[äö]$", "ö", true),
        ("^[^a]$", "ö", true), ("^[α-ω]+$", "λόγος", false), ("^[α-ω]+$", "λογος", true), ("[^ -~]", "plain", false),
        ("[^ -~]", "naïve", true),
        (".", "\n", true), (".", "\u{0}", false), ("[^a]", "\u{0}", true), ("a.c", "a\u{0}c", false),
        ("a\nb", "a\nb", true),
        // Brackets.
        ("^[]]$", "]", true), ("^[^]]$", "]", false), ("^[]a-c]+$", "]abc", true), ("^[-a]+$", "a-", true),
        ("^[a-]+$", "-a", true), ("^[+--]+$", "+,-", true), ("^[a^]$", "^", true), ("^[\\]$", "\\", true),
        ("[\\n]", "n", true), ("^[[]$", "[", true), ("^[*.$|(){]+$", "*.$|(){", true), ("^[[:digit:]-]+$", "1-2", true),
        ("^[[:alpha:][:digit:]_]+$", "aZ_9", true), ("^[^[:space:]]+$", "a b", false), ("[[:alpha:]]", "é", false),
        ("^[[:xdigit:]]+$", "09afAF", true), ("[[:xdigit:]]", "gG", false), ("^[[:punct:]]+$", "!/:@[`{~", true),
        ("[[:punct:]]", "aZ0 \u{7F}", false), ("^[[:cntrl:]]+$", "\u{0}\u{1F}\u{7F}", true),
        ("[[:blank:]]", "\n", false),
        ("^[[:space:]]+$", " \t\n\u{B}\u{C}\r", true), ("^[[:graph:]]+$", "!~", true), ("[[:graph:]]", " ", false),
        ("^[[:print:]]+$", " ~", true), ("^[[:upper:][:lower:]]+$", "aZ", true), ("[[:alnum:]]", "_-", false),
        // Repetitions.
        ("^a{2}$", "a", false), ("^a{2}$", "aa", true), ("^a{2}$", "aaa", false), ("^a{2,}$", "a", false),
        ("^a{2,}$", "aaaaa", true), ("^a{,2}$", "", true), ("^a{,2}$", "aaa", false), ("^a{0}$", "", true),
        ("^a{0}$", "a", false), ("^a{,}$", "aaa", true), ("^(ab){1,2}$", "abab", true),
        ("^(ab){1,2}$", "ababab", false),
        ("^a?b*c+$", "c", true), ("^a?b*c+$", "abbcc", true), ("^a?b*c+$", "ab", false), ("^a+?$", "", true),
        ("^(a?)*$", "aaa", true), ("^(a*b*)+$", "abba", true), ("^(a*b*)+$", "abca", false), ("^()*$", "", true),
        ("^(()|a)+b$", "aab", true), ("^(a|b{2}){3}$", "abba", true), ("^((a|b)c){2,}$", "acbcac", true),
        // Alternatives, some of them empty.
        ("^(a|)b$", "b", true), ("^(|a)b$", "ab", true), ("^(a||b)$", "", true), ("|a", "x", true), ("()", "x", true),
        ("^(ab|a)(c|bcd)$", "abcd", true), ("^(ab|a)(c|bcd)$", "abc", true),
        // Anchors in any place.
        ("a^b", "a^b", false), ("a$b", "a$b", false), ("(^a|b$)", "xb", true), ("(^a|b$)", "xa", false),
        ("x*^a", "a", true),
        ("a$()", "ba", true), ("^^a$$", "a", true), ("(a|^)b", "xb", false), ("(a|^)b", "xab", true),
        // Escapes.
        ("^\\.\\*\\[\\]\\^\\$\\\\\\{\\}\\(\\)\\+\\?\\|$", ".*[]^$\\{}()+?|", true), ("\\.", "a", false),
        ("\\/", "/", true),
        ("^\\w+$", "aZ_9", true), ("\\w", "é-", false), ("^\\W$", "é", true), ("^\\s\\S$", "\ta", true),
        ("\\<ab", "x ab", true), ("\\<ab", "xab", false), ("ab\\>", "ab-", true), ("ab\\>", "abc", false),
        ("\\bab\\b", "x,ab,y", true), ("\\bab\\b", "xab", false), ("\\Bb\\B", "abc", true), ("\\Bb\\B", "ab", false),
        ("\\b", "", false), ("\\B", "", true), ("\\`a\\'", "a", true), ("\\`a\\'", "ab", false),
        // A `)` without a `(`, a `}` without a `{`.
        ("^a)$", "a)", true), ("^a}$", "a}", true), ("^]$", "]", true),
    ])
    func valuePatternsFollowPOSIX(pattern: String, value: String, expected: Bool) throws {
        #expect(try ValuePattern(pattern).isFound(in: value) == expected)
    }

    private static let tooLarge = "is too large: with its repetitions written out it has more than 512 states"
    private static let tooDeep = "must not have more than 64 groups inside each other"

    @Test(arguments: [
        (String(repeating: "a", count: 257), "is longer than 256 bytes"), ("a\u{0}", "must not contain a zero byte"),
        ("(a)\\1", "must not have back-references: their cost has no bound"),
        ("[[.-.]]", "must not have collating elements as [.x.]"),
        ("[a-[.z.]]", "must not have collating elements as [.x.]"),
        ("[[=a=]]", "must not have equivalence classes as [=x=]"),
        (String(repeating: "(", count: 65) + String(repeating: ")", count: 65), tooDeep),
        (String(repeating: "(", count: 256), tooDeep),
        ("a{512}", tooLarge), ("a{0,256}", tooLarge), ("(a{32}){32}", tooLarge), ("((((a{9}){9}){9}){9}){9}", tooLarge),
        ("(a{40}+){30}*", tooLarge), ("a{513}", tooLarge), ("(){513}", tooLarge), ("a{,9999}", tooLarge),
        ("a{999999999999999999999}", tooLarge),
        ("a)(b", "is not a regular expression: a ( is not closed"),
        ("(", "is not a regular expression: a ( is not closed"),
        ("(a", "is not a regular expression: a ( is not closed"),
        ("((a)", "is not a regular expression: a ( is not closed"),
        ("[", "is not a regular expression: a [ is not closed"),
        ("[]", "is not a regular expression: a [ is not closed"),
        ("[^", "is not a regular expression: a [ is not closed"),
        ("[a", "is not a regular expression: a [ is not closed"),
        ("[a-", "is not a regular expression: a [ is not closed"),
        ("[[:alpha:]", "is not a regular expression: a [ is not closed"),
        ("[[:alpha", "is not a regular expression: a [ is not closed"),
        ("[[:", "is not a regular expression: a [ is not closed"),
        ("a{", "is not a regular expression: a { is not closed"),
        ("a{1,", "is not a regular expression: a { is not closed"),
        ("*a", "is not a regular expression: * has nothing to repeat"),
        ("(+)", "is not a regular expression: + has nothing to repeat"),
        ("a|?", "is not a regular expression: ? has nothing to repeat"),
        ("{1}", "is not a regular expression: { has nothing to repeat"),
        ("^*", "is not a regular expression: * has nothing to repeat"),
        ("\\b+", "is not a regular expression: + has nothing to repeat"),
        ("a\\", "is not a regular expression: it ends with \\"),
        ("\\d", "is not a regular expression: \\d is not supported"),
        ("\\0", "is not a regular expression: \\0 is not supported"),
        ("a{}", "is not a regular expression: {} has no number"),
        ("a{2,1}", "is not a regular expression: in {m,n} the n is less than the m"),
        (
            "a{1,2,3}",
            "is not a regular expression: between { and } there is something else than {m}, {m,}, {m,n} or {,n}"
        ),
        ("a{+1}", "is not a regular expression: between { and } there is something else than {m}, {m,}, {m,n} or {,n}"),
        ("[z-a]", "is not a regular expression: a range in brackets ends before it begins"),
        (
            "[a-c-e]",
            "is not a regular expression: a - in brackets is neither first nor last nor between two characters"
        ),
        (
            "[[:digit:]-z]",
            "is not a regular expression: a - in brackets is neither first nor last nor between two characters"
        ),
        ("[a-[:digit:]]", "is not a regular expression: a range in brackets ends with a class"),
        (
            "[[:word:]]",
            "is not a regular expression: in brackets, [:class:] is one of alnum, alpha, blank, cntrl, digit, graph, lower, "
                + "print, punct, space, upper, xdigit"
        ),
    ])
    func anErrorNamesTheFaultOfAValuePattern(text: String, problem: String) {
        #expect(throws: ValuePattern.Problem(text: problem)) { try ValuePattern(text) }
    }

    /// `a{n}` has n states, and the end is one more.
    @Test(arguments: [
        "a{511}", "(a{7}){73}", "(){512}", "a{,255}",
        String(repeating: "(", count: 64) + String(repeating: ")", count: 64),
    ])
    func valuePatternsUpToTheLimitsAreAccepted(pattern: String) throws { _ = try ValuePattern(pattern) }

    @Test func anyTextIsAValuePatternOrAnError() {
        var random = SeededRandom(seed: 11)
        let alphabet = Array("ab()[]{}*+?|^$.\\,0129-é\u{0}:=<w")
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
