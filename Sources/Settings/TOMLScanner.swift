/// Finds the line of every key of a TOML text, which TOMLKit does not tell, and keeps from TOMLKit what would harm it.
///
/// TOMLKit 0.6.0 (toml++ 3.4 inside) ends the process on an assertion for texts as short as `[=`, overflows the stack
/// where it frees tables nested very deep, and cuts strings at a NUL. So a text whose structure is wrong here never
/// reaches it. Dates do not either, their parser has such assertions too and no key takes one. Keys given twice and
/// numbers too large are left to it.
struct TOMLScanner {
    /// The parser itself allows 256 nested values and any number of parts of a key; no key of ours needs more than 4.
    static let deepest = 16

    /// By path: `["source", "width"]`; elements of arrays by index, when they stand on a line of their own.
    private(set) var lines: [[String]: Int] = [:]
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    /// How many tables `[[path]]` has had.
    private var arrayCounts: [[String]: Int] = [:]

    /// Throws a `ConfigurationError` that knows the line and not the file.
    static func lines(of text: String) throws(ConfigurationError) -> [[String]: Int] {
        var scanner = TOMLScanner(text)
        do throws(Stop) {
            try scanner.document()
        } catch {
            switch error {
            case .malformed(let problem, let line):
                throw ConfigurationError(line: line ?? scanner.line, problem: "not valid TOML: \(problem)")
            case .refused(let problem):
                throw ConfigurationError(line: scanner.line, problem: problem)
            }
        }
        return scanner.lines
    }

    /// The parts of a dotted key such as `face."a b".c`; nil if it is not one.
    static func keyParts(_ text: String) -> [String]? {
        var scanner = TOMLScanner(text)
        guard let parts = try? scanner.key(), scanner.position == scanner.bytes.count else { return nil }
        return parts
    }

    private init(_ text: String) {
        bytes = Array(text.utf8)
    }

    private enum Stop: Error {
        /// What is wrong, and where it began if that is an earlier line.
        case malformed(String, line: Int? = nil)
        /// Valid, perhaps, but harmful.
        case refused(String)
    }

    // MARK: Structure

    private mutating func document() throws(Stop) {
        var prefix: [String] = []
        while true {
            skipBlank()
            guard let byte = peek() else { return }
            if byte == "[" {
                prefix = try header()
            } else {
                try keyValue(under: prefix, depth: 0)
            }
            try endOfLine()
        }
    }

    /// `[a.b]` or `[[a.b]]`: the path that the keys after it stand under.
    private mutating func header() throws(Stop) -> [String] {
        let start = line
        advance()
        let isArray = peek() == "["
        if isArray { advance() }
        var path: [String] = []
        let parts = try key()
        for (index, part) in parts.enumerated() {
            path.append(part)
            record(path, start)
            if isArray, index == parts.count - 1 {
                arrayCounts[path, default: 0] += 1
            }
            if let count = arrayCounts[path] {
                path.append(String(count - 1))
                record(path, start)
            }
        }
        try expect("]")
        if isArray { try expect("]") }
        return path
    }

    private mutating func keyValue(under prefix: [String], depth: Int) throws(Stop) {
        let start = line
        var path = prefix
        for part in try key() {
            path.append(part)
            record(path, start)
        }
        try expect("=")
        skipSpaces()
        try value(path, depth: depth)
    }

    private mutating func value(_ path: [String], depth: Int) throws(Stop) {
        guard depth <= Self.deepest else { throw .refused("values nested more than \(Self.deepest) deep") }
        switch peek() {
        case "\"", "'": _ = try string(multiline: true)
        case "[":
            let start = line
            try members(until: "]") { (scanner, index) throws(Stop) in
                // Only where it helps: a long array on one line costs nothing.
                if scanner.line > start { scanner.record(path + [String(index)], scanner.line) }
                try scanner.value(path + [String(index)], depth: depth + 1)
            }
        case "{":
            try members(until: "}") { (scanner, _) throws(Stop) in
                try scanner.keyValue(under: path, depth: depth + 1)
            }
        default: try bareValue()
        }
    }

    private mutating func members(
        until end: Unicode.Scalar, _ member: (inout TOMLScanner, Int) throws(Stop) -> Void
    ) throws(Stop) {
        let start = line
        advance()
        var index = 0
        while true {
            skipBlank()
            guard peek() != nil else { throw .malformed("expected '\(end)' before the end of the file", line: start) }
            if peek() == end { break }
            try member(&self, index)
            index += 1
            skipBlank()
            if peek() == "," {
                advance()
            } else if peek() != nil, peek() != end {
                throw .malformed("expected ',' or '\(end)'")
            }
        }
        advance()
    }

    private mutating func bareValue() throws(Stop) {
        let start = position
        while let byte = peek(), byte.isBareKey || byte == "+" || byte == "." || byte == ":" { advance() }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard !BareValue.isValid(text) else { return }
        guard let first = text.first else { throw .malformed("expected a value") }
        // The value itself is not shown: it may be a password.
        throw .malformed(first.isNumber ? "not a number; anything else wants quotes" : "a string wants quotes")
    }

    // MARK: Keys and strings

    private mutating func key() throws(Stop) -> [String] {
        var parts: [String] = []
        while true {
            skipSpaces()
            parts.append(peek() == "\"" || peek() == "'" ? try string(multiline: false) : try bareKey())
            guard parts.count <= Self.deepest else { throw .refused("a key of more than \(Self.deepest) parts") }
            skipSpaces()
            guard peek() == "." else { return parts }
            advance()
        }
    }

    private mutating func bareKey() throws(Stop) -> String {
        let start = position
        while let byte = peek(), byte.isBareKey { advance() }
        if position == start { throw .malformed("expected a key") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func string(multiline: Bool) throws(Stop) -> String {
        let quote = peek()
        let start = line
        advance()
        var isMultiline = false
        if peek() == quote {
            advance()
            guard multiline, peek() == quote else { return "" }
            advance()
            isMultiline = true
        }
        var content: [UInt8] = []
        while let byte = peek() {
            if byte == quote, !isMultiline {
                advance()
                return String(decoding: content, as: UTF8.self)
            }
            if byte == quote, peek(1) == quote, peek(2) == quote {
                // Up to two quotes may stand before the closing three.
                while peek() == quote { advance() }
                return ""
            }
            if byte == "\n", !isMultiline { break }
            if byte == "\\", quote == "\"" {
                content += try escape()
            } else {
                content.append(bytes[position])
                advance()
            }
        }
        throw .malformed("a string without its closing quote", line: start)
    }

    private mutating func escape() throws(Stop) -> [UInt8] {
        advance()
        guard let byte = peek() else { return [] }
        advance()
        switch byte {
        case "u": return try codePoint(digits: 4)
        case "U": return try codePoint(digits: 8)
        case "b": return [0x08]
        case "t": return [0x09]
        case "n": return [0x0A]
        case "f": return [0x0C]
        case "r": return [0x0D]
        default: return [UInt8(truncatingIfNeeded: byte.value)]
        }
    }

    private mutating func codePoint(digits: Int) throws(Stop) -> [UInt8] {
        guard position + digits <= bytes.count,
            let value = UInt32(String(decoding: bytes[position..<position + digits], as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw .malformed("a string with an escape that is no character") }
        if value == 0 { throw .refused("a NUL character in a string") }
        position += digits
        return Array(String(scalar).utf8)
    }

    // MARK: Bytes

    private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
        position + ahead < bytes.count ? Unicode.Scalar(bytes[position + ahead]) : nil
    }

    private mutating func advance() {
        if position < bytes.count, bytes[position] == 0x0A { line += 1 }
        position += 1
    }

    private mutating func expect(_ byte: Unicode.Scalar) throws(Stop) {
        skipSpaces()
        guard peek() == byte else { throw .malformed("expected '\(byte)'") }
        advance()
    }

    /// Nothing but a comment may follow.
    private mutating func endOfLine() throws(Stop) {
        skipSpaces()
        if peek() == "\r", peek(1) == "\n" { advance() }
        guard peek() == nil || peek() == "\n" || peek() == "#" else { throw .malformed("expected the end of the line") }
    }

    private mutating func skipSpaces() {
        while peek() == " " || peek() == "\t" { advance() }
    }

    /// Spaces, newlines and comments.
    private mutating func skipBlank() {
        while let byte = peek() {
            if byte == "#" {
                while let next = peek(), next != "\n" { advance() }
            } else if byte == " " || byte == "\t" || byte == "\n" || byte == "\r" {
                advance()
            } else {
                return
            }
        }
    }

    private mutating func record(_ path: [String], _ line: Int) {
        if lines[path] == nil { lines[path] = line }
    }
}

extension Unicode.Scalar {
    fileprivate var isBareKey: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self) || self == "_"
            || self == "-"
    }
}
