// SPDX-License-Identifier: Apache-2.0
/// A name in which `*` matches any characters and `?` matches one character.
package struct NamePattern: Sendable, Equatable {
    /// The longest pattern in bytes, equal to the longest name of a pipeline.
    static let longest = 64

    private let pattern: [UInt8]

    package init(_ pattern: String) {
        self.pattern = Array(pattern.utf8)
    }

    /// Matches in time proportional to the product of both lengths, because matching goes back only to the last `*`.
    package func matches(_ name: String) -> Bool {
        let text = Array(name.utf8)
        var (at, position) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while position < text.count {
            if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
                star = (at, position)
                at += 1
            } else if at < pattern.count, pattern[at] == UInt8(ascii: "?") || pattern[at] == text[position] {
                at += 1
                position += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                at = last.pattern + 1
                position = last.text + 1
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
