// SPDX-License-Identifier: Apache-2.0
/// One thing wrong with the configuration, printed as
/// `pipelines/door.toml:12: [source] unknown key "widht"; did you mean "width"?`
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file, or the argument (`--set face.min_size`, `--source`) to blame; nil for text without a name.
    package var file: String?
    /// From 1; nil when the problem stands on no line.
    package var line: Int?
    /// The key's dotted path, such as `source.width`; empty for the file as a whole.
    package var key: String
    /// The problem, never with a secret in it.
    package var problem: String
    /// The advice.
    package var suggestion: String?

    package init(
        file: String? = nil, line: Int? = nil, key: String = "", problem: String, suggestion: String? = nil
    ) {
        self.file = file
        self.line = line
        self.key = key
        self.problem = problem
        self.suggestion = suggestion
    }

    package var description: String {
        var text = file ?? ""
        if let line { text += text.isEmpty ? "line \(line)" : ":\(line)" }
        if !text.isEmpty { text += ": " }
        // An argument already says where it belongs.
        if !isArgument, let table { text += "[\(table)] " }
        text += problem
        if let suggestion { text += "; \(suggestion)" }
        return text
    }

    private var isArgument: Bool { file?.hasPrefix("--") ?? false }

    /// The table the key stands in; nil at the top.
    private var table: Substring? {
        guard key.hasSuffix("\"") else { return key.lastIndex(of: ".").map { key[..<$0] } }
        // A name in quotes may have dots.
        let name = key.indices.last { key[$0...].hasPrefix(".\"") }
        return name.map { key[..<$0] }
    }
}

/// A path of names in one line. A name that TOML does not take without quotes stands in quotes.
func dotted(_ path: [String]) -> String {
    path.map { name in
        let isBare = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isBare && !name.isEmpty ? name : quoted(name)
    }.joined(separator: ".")
}

/// Everything wrong with one file, by line. Never empty.
package struct ConfigurationErrors: Error, Sendable, Equatable, CustomStringConvertible {
    package let errors: [ConfigurationError]

    package init(_ errors: [ConfigurationError]) {
        self.errors = errors
    }

    /// One line an error.
    package var description: String {
        errors.map(\.description).joined(separator: "\n")
    }
}
