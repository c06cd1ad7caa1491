import Glibc

/// A POSIX extended regular expression, compiled once.
///
/// Matched by glibc's automaton, which looks at each byte of a value once for each state of the pattern: what somebody prints on a label
/// cannot make it slow. Back-references, which would, are refused. (A backtracking engine, as Swift's `Regex` is, takes time that is
/// exponential in the value for patterns like `(a+)+$`.)
// Sound: compiled in `init`; glibc's regexec locks what it caches.
package final class ValuePattern: @unchecked Sendable {
    package let text: String
    private var compiled = regex_t()

    /// A pattern larger than this is no rule for values.
    package static let longestPattern = 1024

    /// - Throws: why the pattern is refused.
    init(_ text: String) throws(ValueProblem) {
        self.text = text
        guard text.utf8.count <= Self.longestPattern else {
            throw .init("is longer than \(Self.longestPattern) bytes")
        }
        guard !text.utf8.contains(0) else { throw .init("must not contain a zero byte") }
        guard !Self.hasBackReference(text) else {
            throw .init("must not have back-references: their cost has no bound", suggestion: "write the text twice")
        }
        // Bounds of repetitions multiply states: the pattern is written out before it is compiled.
        guard Self.largestBound(text) <= 64 else { throw .init("must not repeat anything more than 64 times") }
        let status = regcomp(&compiled, text, REG_EXTENDED)
        guard status == 0 else {
            var message = [CChar](repeating: 0, count: 256)
            regerror(status, &compiled, &message, message.count)
            let words = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .init("is not a regular expression: \(String(decoding: words, as: UTF8.self))")
        }
    }

    deinit { regfree(&compiled) }

    /// Whether the pattern is found anywhere in the text.
    package func isFound(in value: String) -> Bool {
        var value = value
        return value.withUTF8 { bytes in
            var match = regmatch_t(rm_so: 0, rm_eo: regoff_t(bytes.count))
            guard let start = bytes.baseAddress else { return regexec(&compiled, "", 0, nil, 0) == 0 }
            // REG_STARTEND: the text may hold zero bytes.
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                regexec(&compiled, $0, 1, &match, REG_STARTEND) == 0
            }
        }
    }

    private static func hasBackReference(_ text: String) -> Bool {
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) { return true }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return false
    }

    /// The product of all bounds like `{3,20}`: nested ones multiply.
    private static func largestBound(_ text: String) -> Int {
        var product = 1
        for part in text.split(separator: "{").dropFirst() {
            let bounds = part.prefix { $0 != "}" }.split(separator: ",").compactMap { Int($0) }
            product = min(product, 1_000_000) * max(1, min(bounds.max() ?? 1, 1_000_000))
        }
        return product
    }
}

extension ValuePattern: Equatable {
    package static func == (left: ValuePattern, right: ValuePattern) -> Bool { left.text == right.text }
}

extension ValueFormat<ValuePattern> {
    static var valuePattern: Self {
        ValueFormat<String>.nonEmptyText.map { text throws(ValueProblem) in try ValuePattern(text) }
    }
}
