// SPDX-License-Identifier: Apache-2.0
import CTOML

/// The content of a TOML text, with line numbers.
struct TOMLTree {
    private(set) var root: [String: TOMLNode] = [:]
    private(set) var lines = TOMLLines()

    /// - Throws: one error, which knows the line and not the file.
    init(parsing text: String) throws(ConfigurationError) {
        let nesting = try TOMLNesting(of: text)
        var document: OpaquePointer?
        var (count, place) = (0, ctoml_place())
        var message = [CChar](repeating: 0, count: 600)
        var text = text
        let status = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                ctoml_parse($0.baseAddress, $0.count, &document, &count, &place, &message, message.count)
            }
        }
        // Its nodes lend their texts until then.
        defer { ctoml_free(document) }
        guard status == CTOML_OK else {
            let text = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard status == CTOML_MALFORMED else { throw .init(problem: "cannot be read: \(text)") }
            throw TOMLComplaint(text).error(line: Int(place.line), nesting)
        }
        let nodes = [ctoml_node](unsafeUninitializedCapacity: count) { buffer, written in
            written = ctoml_nodes(document, buffer.baseAddress, buffer.count)
        }
        var reader = NodeReader(nodes)
        (root, lines) = try reader.table(try reader.next(), at: [], line: nil)
    }
}

/// Makes a tree of nodes that stand in a row.
private struct NodeReader {
    private var nodes: IndexingIterator<[ctoml_node]>

    init(_ nodes: [ctoml_node]) { self.nodes = nodes.makeIterator() }

    mutating func next() throws(ConfigurationError) -> ctoml_node {
        guard let node = nodes.next() else { throw .init(problem: "cannot be read: its tree is incomplete") }
        return node
    }

    mutating func table(
        _ node: ctoml_node, at path: [String], line: Int?
    ) throws(ConfigurationError) -> ([String: TOMLNode], TOMLLines) {
        var (members, lines) = ([String: TOMLNode](minimumCapacity: node.members), TOMLLines(at: line))
        for _ in 0..<node.members {
            let member = try next()
            let line = Int(member.key_place.line)
            let key = try string(member.key, line: line)
            (members[key], lines.members[key]) = try value(member, at: path + [key], line: line)
        }
        return (members, lines)
    }

    private mutating func array(
        _ node: ctoml_node, at path: [String], line: Int
    ) throws(ConfigurationError) -> ([TOMLNode], TOMLLines) {
        var (elements, lines) = ([TOMLNode](), TOMLLines(at: line))
        elements.reserveCapacity(node.members)
        for index in 0..<node.members {
            let element = try next()
            let elementLine = Int(element.place.line)
            let (value, places) = try value(element, at: path + ["\(index)"], line: elementLine)
            elements.append(value)
            // A long array on one line costs nothing.
            if elementLine != line || !places.members.isEmpty { lines.members["\(index)"] = places }
        }
        return (elements, lines)
    }

    private mutating func value(
        _ node: ctoml_node, at path: [String], line: Int
    ) throws(ConfigurationError) -> (TOMLNode, TOMLLines) {
        switch node.kind {
        case CTOML_TABLE:
            let (members, lines) = try table(node, at: path, line: line)
            return (.table(members), lines)
        case CTOML_ARRAY:
            let (elements, lines) = try array(node, at: path, line: line)
            return (.array(elements), lines)
        case CTOML_STRING: return (.string(try string(node.string, line: line)), TOMLLines(at: line))
        case CTOML_INTEGER: return (.integer(Int(node.integer)), TOMLLines(at: line))
        case CTOML_FLOAT: return (.float(node.number), TOMLLines(at: line))
        case CTOML_BOOLEAN: return (.boolean(node.integer != 0), TOMLLines(at: line))
        default:
            throw .init(
                line: line, key: dotted(path),
                problem: "\(dotted(Array(path.suffix(1)))) must not be a date or a time",
                suggestion: "put a string in quotes")
        }
    }

    /// No name and no path may have a NUL in it: for everything below Swift it ends there.
    private func string(_ text: ctoml_text, line: Int) throws(ConfigurationError) -> String {
        let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.count)
        guard !bytes.contains(0) else { throw .init(line: line, problem: "a NUL character in a string") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
