// SPDX-License-Identifier: Apache-2.0
/// An error of toml++ about a text that is not TOML: `Error while parsing decimal integer: expected digit, saw 's'`.
struct TOMLComplaint {
    /// The part being parsed: `decimal integer`, `table header`; empty if toml++ does not name it.
    private let scope: Substring
    private let reason: Substring

    init(_ message: String) {
        let prefix = "Error while parsing "
        guard message.hasPrefix(prefix), let colon = message.firstRange(of: ": ") else {
            (scope, reason) = ("", message[...])
            return
        }
        scope = message[..<colon.lowerBound].dropFirst(prefix.count)
        reason = message[colon.upperBound...]
    }

    func error(line: Int, _ nesting: TOMLNesting) -> ConfigurationError {
        if reason == "encountered end-of-file", let open = nesting.open.last {
            let end = open.bracket.map { "expected '\($0)' before the end of the file" }
            return .init(line: open.line, problem: "not valid TOML: \(end ?? Self.openString)")
        }
        let isTorn = line == nesting.tornLine && reason.contains("control characters")
        return .init(line: line, problem: "not valid TOML: \(isTorn ? Self.openString : words)")
    }

    private static let openString = "a string without its closing quote"
    private static let notANumber = "not a number; put text in quotes"
    private static let numbers: Set<Substring> = [
        "floating-point", "hexadecimal floating-point", "decimal integer", "hexadecimal integer", "octal integer",
        "binary integer", "date", "time", "date-time", "date-time offset",
    ]

    /// The error in a person's words. The text itself is not shown: it may be a password.
    private var words: String {
        switch scope {
        case "boolean": return "put a string in quotes"
        case "value" where reason.hasPrefix("could not"): return "put a string in quotes"
        case "value" where reason.hasPrefix("numeric value too long"): return Self.notANumber
        case "floating-point" where reason.hasPrefix("expected 'inf'") || reason.hasPrefix("expected 'nan'"):
            return "put a string in quotes"
        case _ where Self.numbers.contains(scope):
            if reason.hasSuffix("64 bits") { return "a number too large for 64 bits" }
            if reason.hasPrefix("leading zeroes") { return "a number with leading zeroes" }
            return Self.notANumber
        case "unicode scalar sequence": return "a string has an invalid escape sequence"
        default: break
        }
        for (start, words) in Self.translations where reason.hasPrefix(start) { return words }
        var text = String(reason.firstRange(of: ", saw ").map { reason[..<$0.lowerBound] } ?? reason)
        if text.contains("://") || text.contains("@"), let quote = text.firstRange(of: " '") {
            text = String(text[..<quote.lowerBound])
        }
        return text.replacing("comma or closing", with: "',' or")
    }

    /// By how the reason starts.
    private static let translations = [
        ("unknown escape", "a string has an invalid escape sequence"),
        ("escape sequence", "a string has an invalid escape sequence"),
        ("expected bare key", "expected a key"),
        ("tables with blank bare keys", "expected a key"),
        ("expected keys, tables", "expected a key"),
        ("expected value, saw", "expected a value"),
        ("expected a comment", "expected the end of the line"),
    ]
}
