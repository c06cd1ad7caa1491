// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A POSIX extended regular expression for values, compiled once.
///
/// A subscriber's request and the text of a printed label meet here, so neither may make a match slow. A pattern is a
/// program of at most 512 states (`PatternProgram`). A value takes at most states times characters steps
/// (`PatternMatcher`).
///
/// A character is a Unicode code point. Classes and the escapes `\w \W \s \S \b \B \< \>` are those of the C locale:
/// only ASCII has letters in it. `^` and `$` are the value's ends wherever they stand in a pattern, and cannot be
/// repeated.
///
/// `.` is anything but U+0000. Constructs that POSIX leaves open are refused, except three that GNU accepts too. `)`
/// without `(` is itself, an alternative of `|` may be empty, and `{,n}` is `{0,n}`.
package final class ValuePattern: Sendable {
    /// Why a text is no pattern: goes on after the name of what it was given for.
    package struct Problem: Error, Equatable {
        package var text: String
    }

    /// Bytes of the longest pattern.
    package static let longestPattern = 256
    /// Bytes of a value in which the pattern is looked for.
    package static let longestValue = 1024

    package let text: String
    private let answers: Mutex<PatternAnswers>

    /// - Throws: why the pattern is refused.
    package init(_ text: String) throws(Problem) {
        guard text.utf8.count <= Self.longestPattern else {
            throw Problem(text: "is longer than \(Self.longestPattern) bytes")
        }
        guard !text.utf8.contains(0) else { throw Problem(text: "must not contain a zero byte") }
        self.text = text
        answers = Mutex(PatternAnswers(try PatternProgram(PatternParser.parse(text))))
    }

    /// Whether the pattern is found anywhere in the text, or in those characters of a longer one that are in its first
    /// 1024 bytes. From any thread; one waits for the other.
    package func isFound(in value: String) -> Bool {
        while true {
            var steps = Int.max
            if let answer = isFound(in: value, steps: &steps) { return answer }
        }
    }

    /// Searches in turns.
    ///
    /// - Parameter steps: states that may be reached, about 10 ns each; less those that were. A value of a recent
    ///   search takes none.
    /// - Returns: nil when there are no more: asked about the same value again, it goes on where it left off.
    package func isFound(in value: String, steps: inout Int) -> Bool? {
        answers.withLock { $0.isFound(in: value, steps: &steps) }
    }
}

extension ValuePattern: Equatable {
    package static func == (left: ValuePattern, right: ValuePattern) -> Bool { left.text == right.text }
}
