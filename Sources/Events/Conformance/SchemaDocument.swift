// SPDX-License-Identifier: Apache-2.0
/// The stream's schema as a JSON Schema (2020-12): the content of `docs/events.schema.json`.
package enum SchemaDocument {
    package static var text: String { root.text(indent: 0) + "\n" }

    private static var root: SchemaNode {
        let envelope = StreamSchema.envelope.node
        let conditions = StreamSchema.types.map { type in
            SchemaNode.object([
                ("if", .object([("properties", .object([("type", .object([("const", .text(type))]))]))])),
                ("then", reference(definitionName(ofType: type))),
            ])
        }
        return .object(
            [
                ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
                ("$id", .text("https://glimpse.example/events.schema.json")),
                ("title", .text("Glimpse event stream, version 1")),
                (
                    "description",
                    .text(
                        "One line of the stream. Fields, types and values that are not named here may occur: readers must ignore what "
                            + "they do not know. Absent means unknown.")
                ),
            ] + envelope.members + [("allOf", .list(conditions)), ("$defs", definitions)])
    }

    /// The name of a type's definition. Two types with equal members share one definition.
    private static func definitionName(ofType type: String) -> String {
        switch type {
        case "detected", "update": "line_of_a_track_in_view"
        default: "\(type)_line"
        }
    }

    private static var definitions: SchemaNode {
        var nodes = StreamSchema.definitionOrder.map { name in
            (name, described(StreamSchema.definition(name).definingNode, as: name))
        }
        for type in StreamSchema.types {
            let name = definitionName(ofType: type)
            if nodes.contains(where: { $0.0 == name }) { continue }
            nodes.append((name, described(StreamSchema.own(type: type).node, as: name)))
        }
        return .object(nodes)
    }

    private static func described(_ node: SchemaNode, as name: String) -> SchemaNode {
        guard let words = StreamSchema.descriptions[name] else { return node }
        return .object([("description", .text(words))] + node.members)
    }

    fileprivate static func reference(_ name: String) -> SchemaNode { .object([("$ref", .text("#/$defs/\(name)"))]) }
}

extension Shape {
    /// The schema of a value of this shape: a reference for a defined shape.
    fileprivate var node: SchemaNode {
        if case .defined(let name) = self { return SchemaDocument.reference(name) }
        return definingNode
    }

    fileprivate var definingNode: SchemaNode {
        func type(_ name: String, _ more: [(String, SchemaNode)] = []) -> SchemaNode {
            .object([("type", .text(name))] + more)
        }
        switch self {
        case .defined(let name): return SchemaDocument.reference(name)
        case .text(.any): return type("string")
        case .text(.nonEmpty): return type("string", [("minLength", .number(1))])
        case .text(let form): return type("string", form.pattern.map { [("pattern", .text($0))] } ?? [])
        case .word(let words): return .object([("enum", .list(words.map { .text($0) }))])
        case .count(let least): return type("integer", [("minimum", .number(Double(least)))])
        case .integer: return type("integer")
        case .number(let range):
            var limits: [(String, SchemaNode)] = []
            if let least = range.least { limits.append(("minimum", .number(least))) }
            if let above = range.above { limits.append(("exclusiveMinimum", .number(above))) }
            if let most = range.most { limits.append(("maximum", .number(most))) }
            return type(range.isWhole ? "integer" : "number", limits)
        case .oneOf(let values) where values.count == 1: return .object([("const", .number(Double(values[0])))])
        case .oneOf(let values): return .object([("enum", .list(values.map { .number(Double($0)) }))])
        case .bool: return type("boolean")
        case .alwaysTrue: return .object([("const", .bool(true))])
        case .list(let element, let count):
            var limits: [(String, SchemaNode)] = []
            if count.lowerBound > 0 { limits.append(("minItems", .number(Double(count.lowerBound)))) }
            if count.upperBound < Int.max { limits.append(("maxItems", .number(Double(count.upperBound)))) }
            return type("array", limits + [("items", element.node)])
        case .map(.any): return type("object")
        case .map(let element): return type("object", [("additionalProperties", element.node)])
        case .object(let members): return members.node
        case .any: return .bool(true)
        }
    }
}

extension Members {
    fileprivate var node: SchemaNode { .object([("type", .text("object"))] + conditions) }

    /// The conditions without the type, for use in a rule that narrows an object.
    private var conditions: [(String, SchemaNode)] {
        var nodes: [(String, SchemaNode)] = []
        func names(_ names: some Sequence<String>) -> SchemaNode { .list(names.map { .text($0) }) }
        func inOrder(_ names: Set<String>) -> [String] {
            order.filter(names.contains) + names.subtracting(order).sorted()
        }
        if isNeverEmpty { nodes.append(("minProperties", .number(1))) }
        if !required.isEmpty { nodes.append(("required", names(inOrder(required)))) }
        if !order.isEmpty {
            nodes.append(("properties", .object(order.map { ($0, shapes[$0]?.node ?? .bool(true)) })))
        }
        if !needs.isEmpty {
            let pairs = needs.sorted { $0.key < $1.key }.map { ($0.key, names([$0.value])) }
            nodes.append(("dependentRequired", .object(pairs)))
        }
        if !absent.isEmpty {
            let any = absent.sorted().map { SchemaNode.object([("required", names([$0]))]) }
            nodes.append(("not", any.count == 1 ? any[0] : .object([("anyOf", .list(any))])))
        }
        if !anyOf.isEmpty {
            let sets = anyOf.map(inOrder).sorted { $0.joined() < $1.joined() }
            nodes.append(("anyOf", .list(sets.map { .object([("required", names($0))]) })))
        }
        if !rules.isEmpty { nodes.append(("allOf", .list(rules.map(\.node)))) }
        return nodes
    }

    fileprivate var narrowing: SchemaNode { .object(conditions) }
}

extension Members.Rule {
    fileprivate var node: SchemaNode {
        let test: SchemaNode =
            switch condition {
            case .has(let name): .object([("required", .list([.text(name.stringValue)]))])
            case .member(let name, let values):
                .object([
                    ("required", .list([.text(name.stringValue)])),
                    ("properties", .object([(name.stringValue, Shape.word(values).node)])),
                ])
            }
        return .object(
            [("if", test), ("then", then.narrowing)] + (otherwise.map { [("else", $0.narrowing)] } ?? []))
    }
}
