// SPDX-License-Identifier: Apache-2.0
import JSONLines

/// JSON for people: members keep their order, and a value is on one line if it fits.
indirect enum SchemaNode {
    case text(String)
    case number(Double)
    case bool(Bool)
    case list([SchemaNode])
    case object([(String, SchemaNode)])

    private static let width = 120

    var members: [(String, SchemaNode)] { if case .object(let members) = self { members } else { [] } }

    /// - Parameters:
    ///   - indent: the columns before the value's lines.
    ///   - taken: the columns already used on the value's first line.
    func text(indent: Int, taken: Int = 0) -> String {
        let short = line
        if indent + taken + short.utf8.count < Self.width { return short }
        let margin = String(repeating: " ", count: indent + 2)
        func lines(_ parts: [String], _ open: String, _ close: String) -> String {
            "\(open)\n" + parts.map { margin + $0 }.joined(separator: ",\n")
                + "\n\(String(repeating: " ", count: indent))\(close)"
        }
        switch self {
        case .list(let elements): return lines(elements.map { $0.text(indent: indent + 2) }, "[", "]")
        case .object(let members):
            return lines(
                members.map { name, value in
                    let key = Self.quoted(name) + ": "
                    return key + value.text(indent: indent + 2, taken: key.utf8.count)
                }, "{", "}")
        default: return short
        }
    }

    private var line: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): Int(exactly: number).map(String.init) ?? number.description
        case .bool(let value): value ? "true" : "false"
        case .list(let elements): "[" + elements.map(\.line).joined(separator: ", ") + "]"
        case .object(let members):
            "{ " + members.map { "\(Self.quoted($0)): \($1.line)" }.joined(separator: ", ") + " }"
        }
    }

    private static func quoted(_ text: String) -> String {
        var json = JSONWriter(reservingCapacity: text.utf8.count + 8)
        json.element(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
