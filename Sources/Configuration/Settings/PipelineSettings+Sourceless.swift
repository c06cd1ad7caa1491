// SPDX-License-Identifier: Apache-2.0
extension PipelineSettings {
    /// A pipeline's file without its source, with `--set` on top, as TOML for `parseWithoutSource`. It holds no secret,
    /// because no key outside `[source]` takes one.
    package static func textWithoutSource(
        of file: String, overrides: [(key: String, value: String)] = []
    ) throws(ConfigurationErrors) -> String {
        var document = try TOMLDocument(BoundedFile.bytes(of: file), file: file)
        try document.set(overrides)
        document.remove("source")
        return document.root.toml
    }

    /// Reads a file for everything but its source, which it need not have; `source` in the result stands for none.
    package static func loadWithoutSource(
        file: String, overrides: [(key: String, value: String)] = []
    ) throws(ConfigurationErrors) -> PipelineSettings {
        try parseWithoutSource(BoundedFile.bytes(of: file), file: file, overrides: overrides)
    }

    /// Parses a file's bytes in this way.
    package static func parseWithoutSource(
        _ bytes: [UInt8], file: String?, overrides: [(key: String, value: String)] = []
    ) throws(ConfigurationErrors) -> PipelineSettings {
        var document = try TOMLDocument(bytes, file: file)
        try document.set(overrides)
        document.replace(table: "source", by: ["kind": .string("test")], argument: "source")
        return try read(document, file: file)
    }
}

extension [String: TOMLNode] {
    /// A key a line, tables inline, keys in order.
    fileprivate var toml: String {
        sorted { $0.key < $1.key }.map { "\($0.key.tomlString) = \($0.value.toml)\n" }.joined()
    }
}

extension TOMLNode {
    var toml: String {
        switch self {
        case .string(let text): return text.tomlString
        case .integer(let number): return String(number)
        case .float(let number) where number.isNaN: return "nan"
        case .float(let number) where number.isInfinite: return number < 0 ? "-inf" : "inf"
        case .float(let number): return number.description
        case .boolean(let value): return value ? "true" : "false"
        case .array(let elements): return "[\(elements.map(\.toml).joined(separator: ", "))]"
        case .table(let members):
            let pairs = members.sorted { $0.key < $1.key }.map { "\($0.key.tomlString) = \($0.value.toml)" }
            return "{\(pairs.joined(separator: ", "))}"
        }
    }
}

extension String {
    /// A basic string of TOML 1.0, which may be a key too.
    var tomlString: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..<"\u{20}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
