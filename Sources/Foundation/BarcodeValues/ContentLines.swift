// SPDX-License-Identifier: Apache-2.0
/// The lines of a vCard or iCalendar object (RFC 6350, 3.2 and 3.3; RFC 5545, 3.1; vCard 2.1), unfolded and split.
struct ContentLine {
    /// Upper case, without a group.
    let name: String
    /// Names in upper case; a parameter of vCard 2.1 without a name (`HOME`) is a `TYPE`.
    let parameters: [(name: String, value: String)]
    /// Transfer encoding and character set undone, backslashes not.
    let value: TextBytes

    /// Values of a parameter, in lower case; `TYPE=home,cell` and `TYPE=home;TYPE=cell` are the same.
    func parameter(_ name: String) -> [String] {
        parameters.filter { $0.name == name }
            .flatMap { $0.value.lowercased().split(separator: ",").map(String.init) }
    }

    /// Undoes backslashes (RFC 6350, 3.4).
    var text: String { Self.unescaped(value) }

    /// The components between unescaped separators, backslashes undone.
    func components(_ separator: Character) -> [String] {
        var parts: [String] = []
        var start = value.startIndex
        var place = value.startIndex
        while place < value.endIndex {
            if value[place] == UInt8(ascii: "\\") {
                place += 1
            } else if value[place] == separator.asciiValue {
                parts.append(Self.unescaped(value[start..<place]))
                start = place + 1
            }
            place += 1
        }
        parts.append(start < value.endIndex ? Self.unescaped(value[start...]) : "")
        return parts
    }

    private static func unescaped(_ value: TextBytes) -> String {
        var bytes: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            bytes.append(next.lowercased == UInt8(ascii: "n") ? 0x0A : next)
        }
        return String(decoding: bytes, as: UTF8.self).trimmingSpaces
    }

    /// Lines that are no content lines are left out.
    static func all(in text: TextBytes) -> [ContentLine] { unfolded(text).compactMap(ContentLine.init) }

    /// Joins a line that begins with a space or tab to the line before. Joins a quoted-printable line to the next one
    /// after its soft line break.
    private static func unfolded(_ text: TextBytes) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for line in text.lines {
            if let last = lines.last, last.last == UInt8(ascii: "="), isQuotedPrintable(last[...]) {
                lines[lines.count - 1].removeLast()
                lines[lines.count - 1] += line
            } else if let first = line.first, first == 0x20 || first == 0x09, !lines.isEmpty {
                lines[lines.count - 1] += line.dropFirst()
            } else {
                lines.append(Array(line))
            }
        }
        return lines
    }

    private static func isQuotedPrintable(_ line: TextBytes) -> Bool {
        line.cut(at: ":").0.string.uppercased().contains("QUOTED-PRINTABLE")
    }

    private init?(_ line: [UInt8]) {
        guard let (head, value) = Self.split(line[...]) else { return nil }
        var parts = Self.headParts(head)
        let name = parts.removeFirst()
        self.name = (name.parts(separatedBy: ".").last ?? name).trimmingWhitespace.string.uppercased()
        guard !self.name.isEmpty else { return nil }
        parameters = parts.map { part in
            let (name, value) = part.cut(at: "=")
            guard let value else { return ("TYPE", name.string) }
            return (name.string.uppercased(), value.filter { $0 != UInt8(ascii: "\"") }[...].string)
        }
        self.value = Self.decoded(value, parameters)
    }

    /// Name with parameters, and value: at the first colon outside of quotation marks.
    private static func split(_ line: TextBytes) -> (TextBytes, TextBytes)? {
        var isQuoted = false
        for place in line.indices {
            if line[place] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if line[place] == UInt8(ascii: ":"), !isQuoted { return (line[..<place], line[(place + 1)...]) }
        }
        return nil
    }

    private static func headParts(_ head: TextBytes) -> [TextBytes] {
        var parts: [TextBytes] = []
        var start = head.startIndex
        var isQuoted = false
        for place in head.indices {
            if head[place] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if head[place] == UInt8(ascii: ";"), !isQuoted {
                parts.append(head[start..<place])
                start = place + 1
            }
        }
        return parts + [head[start...]]
    }

    private static func decoded(_ value: TextBytes, _ parameters: [(name: String, value: String)]) -> TextBytes {
        func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map { $0.value.lowercased() } }
        let encodings = values("ENCODING") + values("TYPE")
        let bytes: [UInt8]
        if encodings.contains("quoted-printable") {
            bytes = QuotedPrintable.decoded(value)
        } else if encodings.contains("base64") || encodings.contains("b") {
            guard let decoded = Base64Text.decoded(value) else { return value }
            bytes = decoded
        } else {
            return value
        }
        let named = values("CHARSET").first.flatMap(Charset.init(name:))
        return Array((named?.text(bytes) ?? Charset.text(ofUnknown: bytes)).utf8)[...]
    }
}

extension String {
    /// Without white space at both ends.
    var trimmingSpaces: String { Array(utf8)[...].trimmingWhitespace.string }

    /// nil when there is nothing in it.
    var orNil: String? { isEmpty ? nil : self }
}
