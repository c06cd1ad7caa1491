import Glibc
import Synchronization

/// A POSIX extended regular expression for values, compiled once.
///
/// Matched by glibc's automaton, whose states are made as values need them: neither what somebody prints on a label nor what a subscriber
/// asks for can make it exponential. Three things bound it further: the automaton is started once for each value and not at each of its
/// bytes, only a value's beginning is looked at, and the automaton is made anew before its states take much memory. Back-references,
/// which have no automaton, are refused. (A backtracking engine, as Swift's `Regex` is, takes exponential time for patterns like `(a+)+$`.)
package final class ValuePattern: Sendable {
    /// Why a text is no pattern: goes on after the name of what it was given for.
    package struct Problem: Error, Equatable {
        package var text: String
    }

    /// Bytes of the longest pattern.
    package static let longestPattern = 256
    /// What anything in a pattern may be repeated, nested repetitions multiplied and `+` being two: glibc's automaton is of the pattern written
    /// out, and `a+` is `aa*`. Without this `a` with thirty `+` after it takes all the memory there is.
    package static let largestBound = 64
    /// Bytes of a value in which the pattern is looked for.
    package static let longestValue = 1024
    /// Bytes after which the automaton is made anew: each byte may add a state.
    private static let freshBytes = 8192

    package let text: String
    private let automaton: Mutex<Automaton>

    /// - Throws: why the pattern is refused.
    package init(_ text: String) throws(Problem) {
        self.text = text
        guard text.utf8.count <= Self.longestPattern else {
            throw Problem(text: "is longer than \(Self.longestPattern) bytes")
        }
        guard !text.utf8.contains(0) else { throw Problem(text: "must not contain a zero byte") }
        guard !Self.hasBackReference(text) else {
            throw Problem(text: "must not have back-references: their cost has no bound")
        }
        guard RepetitionDepth.of(text) <= Self.largestBound else {
            throw Problem(text: "must not repeat anything more than \(Self.largestBound) times")
        }
        // On its own first: in brackets, `a)(b` would be a pattern.
        _ = try Automaton(text)
        automaton = Mutex(try Automaton(Self.anywhere(text)))
    }

    /// Whether the pattern is found anywhere in the text, or in the first 1024 bytes of a longer one.
    package func isFound(in value: String) -> Bool {
        automaton.withLock { automaton in
            if automaton.scanned > Self.freshBytes, let fresh = try? Automaton(Self.anywhere(text)) {
                automaton = fresh
            }
            return automaton.accepts(value.utf8.prefix(Self.longestValue))
        }
    }

    /// Anchored, so that glibc starts at the value's first byte and nowhere else. `.` is not any byte: it is not 0.
    private static func anywhere(_ text: String) -> String { "^([^a]|a)*(\(text))" }

    private static func hasBackReference(_ text: String) -> Bool {
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) { return true }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return false
    }
}

extension ValuePattern: Equatable {
    package static func == (left: ValuePattern, right: ValuePattern) -> Bool { left.text == right.text }
}

/// glibc's compiled expression.
// Sound: regex_t's pointers are its own, and it has one owner.
private struct Automaton: ~Copyable, @unchecked Sendable {
    private let compiled: UnsafeMutablePointer<regex_t>
    /// Bytes looked at so far.
    private(set) var scanned = 0

    init(_ text: String) throws(ValuePattern.Problem) {
        let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
        compiled.initialize(to: regex_t())
        // glibc lets `^` in the middle of a pattern stand after every line feed, so there are none: they are vertical tabs.
        let text = text.utf8.map(Self.byte) + [0]
        let status = text.withUnsafeBufferPointer { text in
            text.baseAddress.map { regcomp(compiled, $0, REG_EXTENDED | REG_NOSUB) } ?? 0
        }
        guard status == 0 else {
            var message = [CChar](repeating: 0, count: 256)
            regerror(status, compiled, &message, message.count)
            let words = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            // glibc has freed what it had.
            compiled.deallocate()
            throw ValuePattern.Problem(text: "is not a regular expression: \(String(decoding: words, as: UTF8.self))")
        }
        self.compiled = compiled
    }

    deinit {
        regfree(compiled)
        compiled.deallocate()
    }

    private static func byte(_ byte: UInt8) -> CChar { CChar(bitPattern: byte == 0x0A ? 0x0B : byte) }

    mutating func accepts(_ value: some Collection<UInt8>) -> Bool {
        scanned += value.count
        // REG_STARTEND: the text may hold zero bytes.
        var range = regmatch_t(rm_so: 0, rm_eo: regoff_t(value.count))
        return (value.map(Self.byte) + [0]).withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return false }
            return regexec(compiled, start, 1, &range, REG_STARTEND) == 0
        }
    }
}
