import Conformance
import Foundation
import GlimpseTesting
import Testing

/// The table in Swift is the published schema.
@Suite struct SchemaTableTests {
    @Test func theTableIsThePublishedSchema() throws {
        let published = try PublishedSchema()
        #expect(published.types == Set(StreamSchema.lines.keys))
        for type in published.types {
            let (table, schema) = (StreamSchema.members(ofType: type), try published.members(ofType: type))
            #expect(table.required == schema.required, "\(type)")
            #expect(
                table.anyOf == schema.anyOf && table.absent == schema.absent && table.needs == schema.needs, "\(type)")
            for name in Set(table.shapes.keys).union(schema.shapes.keys) {
                #expect(table.shapes[name] == schema.shapes[name], "\(type).\(name)")
            }
        }
        #expect(StreamSchema.members(ofType: "zone") == (try published.members(ofType: "zone")))
    }
}

/// `docs/events.schema.json`, read as the shapes that are checked. A keyword or pattern that it does not know is an error.
private struct PublishedSchema {
    struct Unknown: Error { var what: String }

    typealias Node = [String: Any]
    private let root: Node
    private let definitions: [String: Node]
    private static let descriptive: Set<String> = ["$schema", "$id", "title", "description", "$defs"]
    private static let patterns: [String: TextForm] = [
        "^[a-z0-9_]+$": .name, "^[0-9a-f]{64}$": .sha256,
        "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$": .base64,
        #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{9}Z$"#: .time,
    ]

    init() throws {
        let data = try Data(contentsOf: URL(filePath: "\(Checkout.root)/docs/events.schema.json"))
        root = try #require(JSONSerialization.jsonObject(with: data) as? Node)
        definitions = try #require(root["$defs"] as? [String: Node])
    }

    private var conditions: [(type: String, then: Node)] {
        (root["allOf"] as? [Node] ?? []).compactMap { node in
            let properties = (node["if"] as? Node)?["properties"] as? [String: Node]
            guard let type = properties?["type"]?["const"] as? String, let then = node["then"] as? Node else {
                return nil
            }
            return (type, then)
        }
    }

    var types: Set<String> { Set(conditions.map(\.type)) }

    func members(ofType type: String) throws -> Members {
        var members = Members()
        var whole = root
        whole["allOf"] = nil
        try add(whole, to: &members)
        for condition in conditions where condition.type == type { try add(condition.then, to: &members) }
        return members
    }

    private func add(_ node: Node, to members: inout Members) throws {
        for (key, value) in node {
            switch key {
            case "$ref": try add(definition(value), to: &members)
            // What depends on another member's value is not checked.
            case "if", "then", "else": break
            case "allOf": for part in value as? [Node] ?? [] { try add(part, to: &members) }
            case "anyOf":
                for part in value as? [Node] ?? [] { members.anyOf.insert(Set(part["required"] as? [String] ?? [])) }
            case "not": members.absent.formUnion((value as? Node)?["required"] as? [String] ?? [])
            case "required": members.required.formUnion(value as? [String] ?? [])
            case "dependentRequired":
                for (name, others) in value as? [String: [String]] ?? [:] { members.needs[name] = others[0] }
            case "properties", "type", "minProperties": break
            case _ where Self.descriptive.contains(key): break
            default: throw Unknown(what: key)
            }
        }
        // Members of this very object narrow what it refers to.
        for (name, node) in node["properties"] as? [String: Node] ?? [:] {
            members.shapes[name] = try shape(node, name, narrowing: members.shapes[name])
        }
    }

    private func definition(_ reference: Any) throws -> Node {
        let name = (reference as? String)?.replacing("#/$defs/", with: "") ?? ""
        return try #require(definitions[name])
    }

    private func shape(_ node: Node, _ name: String, narrowing known: Shape? = nil) throws -> Shape {
        if StreamSchema.typedValues.contains(name) { return .map(.any) }
        if case .object(var members) = known {
            try add(node, to: &members)
            return .object(members)
        }
        if node.keys.allSatisfy(Self.descriptive.contains) { return .any }
        if let reference = node["$ref"] { return try shape(definition(reference), name) }
        // JSONSerialization tells 1 from true by the number's own type only.
        if let value = node["const"] as? NSNumber {
            return String(cString: value.objCType) == "c" ? .yes : .oneOf([value.intValue])
        }
        if let values = node["enum"] as? [Int] { return .oneOf(values) }
        switch node["type"] as? String ?? "object" {
        case "string":
            if let pattern = node["pattern"] as? String {
                guard let form = Self.patterns[pattern] else { throw Unknown(what: pattern) }
                return .text(form)
            }
            return .text(node["minLength"] == nil ? .any : .nonEmpty)
        case "integer": return (node["minimum"] as? UInt64).map { .count(from: $0) } ?? .integer
        case "number":
            return .number(
                NumberRange(
                    least: node["minimum"] as? Double, above: node["exclusiveMinimum"] as? Double,
                    most: node["maximum"] as? Double))
        case "boolean": return .bool
        case "array":
            let items = try #require(node["items"] as? Node)
            let count = (node["minItems"] as? Int ?? 0)...(node["maxItems"] as? Int ?? .max)
            return .list(try shape(items, ""), count: count)
        case "object":
            if let others = node["additionalProperties"] as? Node { return .map(try shape(others, "")) }
            if node["properties"] == nil, node["allOf"] == nil {
                // Narrowed by its minimum alone, as missing_frames is, or open.
                if let least = node["minimum"] as? UInt64 { return .count(from: least) }
                return .map(.any)
            }
            var members = Members()
            try add(node, to: &members)
            return .object(members)
        case let type: throw Unknown(what: type)
        }
    }
}
