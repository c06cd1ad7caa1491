/// Where an event stream is none, and why.
package struct Violation: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, and what was expected.
    struct Problem: Error {
        var text: String

        init(_ text: String) { self.text = text }
    }

    /// From 1 up; one more than there are lines for what is missing at the end.
    package var line: Int
    package var problem: String
    /// The line's beginning, without control characters; nil at the end.
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
