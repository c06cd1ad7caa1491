// SPDX-License-Identifier: Apache-2.0
/// A TOML file's text as a tree, with the line of each key and the arguments that replaced some.
struct TOMLDocument {
    private(set) var root: [String: TOMLNode]
    private let lines: TOMLLines
    private var arguments: [(path: [String], name: String)] = []
    private let file: String?

    /// - Throws: one error: not UTF-8, a NUL, nested too deep, or not TOML.
    init(_ bytes: [UInt8], file: String?) throws(ConfigurationErrors) {
        self.file = file
        let text = try Self.text(bytes, file: file)
        do throws(ConfigurationError) {
            let tree = try TOMLTree(parsing: text)
            (root, lines) = (tree.root, tree.lines)
        } catch {
            var error = error
            error.file = file
            throw ConfigurationErrors([error])
        }
    }

    var context: DecodingContext { DecodingContext(file: file, lines: lines, arguments: arguments) }

    var reader: TableReader { TableReader(root, context: context) }

    /// Replaces a whole table, as `--source` does.
    mutating func replace(table key: String, by members: [String: TOMLNode], argument: String) {
        root[key] = .table(members)
        arguments.append(([key], argument))
    }

    /// Replaces one value, as `--set key=value` does; tables on the way are made. The value is one of TOML; anything
    /// else that does not begin like one is a string.
    mutating func set(_ key: String, to value: String) throws(ConfigurationError) {
        let name = "--set \(key)"
        guard let path = Self.keyParts(key) else {
            throw .init(
                file: "--set", problem: "\(quoted(key)) is not a key",
                suggestion: "write --set table.key=value, such as --set face.min_size=0.2")
        }
        let node = try Self.value(value, argument: name)
        try Self.insert(node, at: path[...], into: &root, argument: name)
        arguments.append((path, name))
    }

    /// All that `--set` said, in that order.
    ///
    /// - Throws: every value that is refused.
    mutating func set(_ overrides: [(key: String, value: String)]) throws(ConfigurationErrors) {
        var refused: [ConfigurationError] = []
        for (key, value) in overrides {
            do throws(ConfigurationError) {
                try set(key, to: value)
            } catch {
                refused.append(error)
            }
        }
        guard refused.isEmpty else { throw ConfigurationErrors(refused) }
    }

    /// Takes a whole table or a value away.
    mutating func remove(_ key: String) { root[key] = nil }

    private static func insert(
        _ node: TOMLNode, at path: ArraySlice<String>, into members: inout [String: TOMLNode], argument: String
    ) throws(ConfigurationError) {
        guard let key = path.first else { return }
        guard path.count > 1 else {
            members[key] = node
            return
        }
        var inner: [String: TOMLNode] = [:]
        switch members[key] {
        case nil: break
        case .table(let table): inner = table
        case .some(let other):
            throw .init(file: argument, problem: "\(quoted(key)) is \(other.typeName), not a table")
        }
        try insert(node, at: path.dropFirst(), into: &inner, argument: argument)
        members[key] = .table(inner)
    }

    /// The parts of a dotted key such as `face."a b".c`; nil if it is not one.
    static func keyParts(_ key: String) -> [String]? {
        // No text can hold itself and more: a key with a value or a comment in it is seen by what it is given.
        guard !key.contains(where: \.isNewline), let tree = try? TOMLTree(parsing: "\(key) = \(key.tomlString)")
        else { return nil }
        var (parts, node) = ([String](), TOMLNode.table(tree.root))
        while case .table(let members) = node, let member = members.first {
            parts.append(member.key)
            node = member.value
        }
        return node == .string(key) ? parts : nil
    }

    private static func value(_ text: String, argument: String) throws(ConfigurationError) -> TOMLNode {
        if !text.contains(where: \.isNewline), !text.utf8.contains(0),
            let node = (try? TOMLTree(parsing: "value = \(text)"))?.root["value"]
        {
            return node
        }
        if let first = text.first, "\"'[{".contains(first) {
            throw .init(file: argument, problem: "the value is not TOML", suggestion: "mind the shell's own quotes")
        }
        return .string(text)
    }

    // MARK: Text

    private static func text(_ bytes: [UInt8], file: String?) throws(ConfigurationErrors) -> String {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        if let zero = bytes.firstIndex(of: 0) {
            let line = 1 + bytes[..<zero].count { $0 == 0x0A }
            throw ConfigurationErrors([.init(file: file, line: line, problem: "a NUL byte: not a text file")])
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let rows = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let line = rows.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
        throw ConfigurationErrors([
            .init(file: file, line: line, problem: "not UTF-8", suggestion: "save the file in that encoding")
        ])
    }
}
