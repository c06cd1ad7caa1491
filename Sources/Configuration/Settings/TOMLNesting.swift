// SPDX-License-Identifier: Apache-2.0
/// The depth of a text, by its quotes, brackets and dots alone, before it is parsed.
///
/// A key may have any number of parts in toml++. Each part is a table in the part before, and freeing 100,000 of them
/// overflows the stack. If the text is TOML, both toml++ and this type find the same quotes; if not, toml++ stops.
struct TOMLNesting {
    /// No key of ours needs more than 4.
    static let deepest = 16

    /// A bracket or quote that is open at the end of the text.
    struct Open: Equatable {
        /// Where it begins.
        let line: Int
        /// `]` or `}`; nil for a string.
        let bracket: Unicode.Scalar?
    }

    /// The open brackets and quotes at the end, the innermost last.
    private(set) var open: [Open] = []
    /// The first line that ends in the middle of a string which cannot go on.
    private(set) var tornLine: Int?
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    /// - Throws: too deep; the error knows the line and not the file.
    init(of text: String) throws(ConfigurationError) {
        bytes = Array(text.utf8)
        try check()
    }

    private mutating func check() throws(ConfigurationError) {
        var parts = 1
        while let byte = peek() {
            switch byte {
            case "\"", "'":
                string(byte)
                continue
            case "#":
                while let next = peek(), next != "\n" { advance() }
                continue
            case ".": parts += 1
            case "[", "{": open.append(Open(line: line, bracket: byte == "[" ? "]" : "}"))
            case "]", "}": _ = open.popLast()
            default: break
            }
            if "=,\n[]{}".unicodeScalars.contains(byte) { parts = 1 }
            guard parts <= Self.deepest else { throw refusal("a key of more than \(Self.deepest) parts") }
            guard open.count <= Self.deepest else { throw refusal("values nested more than \(Self.deepest) deep") }
            advance()
        }
    }

    private func refusal(_ problem: String) -> ConfigurationError { ConfigurationError(line: line, problem: problem) }

    /// Goes past a string, or to the end of a line that tears it.
    private mutating func string(_ quote: Unicode.Scalar) {
        let start = line
        let isMultiline = isTriple(quote)
        advance(isMultiline ? 3 : 1)
        while let byte = peek() {
            if byte == quote, !isMultiline || isTriple(quote) {
                // Up to two more may stand before the closing three.
                repeat { advance() } while isMultiline && peek() == quote
                return
            }
            if byte == "\n", !isMultiline { break }
            advance(byte == "\\" && quote == "\"" ? 2 : 1)
        }
        if isMultiline {
            open.append(Open(line: start, bracket: nil))
        } else {
            tornLine = tornLine ?? line
        }
    }

    private func isTriple(_ quote: Unicode.Scalar) -> Bool {
        position + 2 < bytes.count && bytes[position...position + 2].allSatisfy { Unicode.Scalar($0) == quote }
    }

    private func peek() -> Unicode.Scalar? {
        position < bytes.count ? Unicode.Scalar(bytes[position]) : nil
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }
}
