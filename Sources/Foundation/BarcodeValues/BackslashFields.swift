// SPDX-License-Identifier: Apache-2.0
/// The fields of NTT docomo's form and its relatives (MECARD, MATMSG, MEBKM, BIZCARD, WIFI): `KEY:value;KEY:value;;`,
/// in which a backslash takes the next character's meaning away.
struct BackslashFields {
    /// Keys in upper case, values still escaped, in their order.
    let fields: [(key: String, value: TextBytes)]
    /// Whether every field ended with its semicolon.
    let isTerminated: Bool

    /// Takes the text after the mark, such as `MECARD:`.
    init(_ text: TextBytes) {
        var fields: [(key: String, value: TextBytes)] = []
        var start = text.startIndex
        var place = text.startIndex
        while place < text.endIndex {
            if text[place] == UInt8(ascii: "\\") {
                place += 1
            } else if text[place] == UInt8(ascii: ";") {
                Self.append(text[start..<place], to: &fields)
                start = place + 1
            }
            place += 1
        }
        let rest = start < text.endIndex ? text[start...] : []
        isTerminated = rest.trimmingWhitespace.isEmpty
        if !isTerminated { Self.append(rest, to: &fields) }
        self.fields = fields
    }

    private static func append(_ field: TextBytes, to fields: inout [(key: String, value: TextBytes)]) {
        let (key, value) = field.cut(at: ":")
        if let value { fields.append((key.trimmingWhitespace.string.uppercased(), value)) }
    }

    /// The first field of that key, escapes undone; nil when it is not there or empty.
    func text(_ key: String) -> String? { texts(key).first }

    func texts(_ key: String) -> [String] {
        fields.filter { $0.key == key }.map { Self.unescaped($0.value) }.filter { !$0.isEmpty }
    }

    func raw(_ key: String) -> TextBytes? { fields.first { $0.key == key }?.value }

    static func unescaped(_ value: TextBytes) -> String {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in value {
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            if !isEscaped { bytes.append(byte) }
        }
        if isEscaped { bytes.append(UInt8(ascii: "\\")) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parts between commas that are not escaped, escapes undone.
    static func list(_ value: TextBytes) -> [String] {
        var parts: [String] = []
        var start = value.startIndex
        var place = value.startIndex
        while place < value.endIndex {
            if value[place] == UInt8(ascii: "\\") {
                place += 1
            } else if value[place] == UInt8(ascii: ",") {
                parts.append(unescaped(value[start..<place]))
                start = place + 1
            }
            place += 1
        }
        parts.append(start < value.endIndex ? unescaped(value[start...]) : "")
        return parts
    }
}
