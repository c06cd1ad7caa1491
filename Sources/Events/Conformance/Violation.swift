// SPDX-License-Identifier: Apache-2.0
/// The first violation in an event stream.
package struct Violation: Error, Sendable, Equatable, CustomStringConvertible {
    /// A description of the error and of the expected value.
    struct Problem: Error {
        var text: String

        init(_ text: String) { self.text = text }
    }

    /// The line number from 1. A violation at the end of the stream has the number after the last line.
    package var line: Int
    package var problem: String
    /// The beginning of the line without control characters; nil at the end of the stream.
    package var text: String?

    /// - Parameter bytes: the line.
    init(line: Int, problem: String, bytes: [UInt8]?) {
        self.line = line
        self.problem = problem
        text = bytes.map(Self.shortened)
    }

    private static func shortened(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(160), as: UTF8.self)
        let shown = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : Character($0) }
        return String(shown) + (bytes.count > 160 ? "..." : "")
    }

    package var description: String {
        guard let text else { return "the end: \(problem)" }
        return "line \(line): \(problem)\n  \(text)"
    }
}
