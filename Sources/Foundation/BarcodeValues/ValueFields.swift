// SPDX-License-Identifier: Apache-2.0
/// A typed value as names and contents, in the order in which they are written. Nil and empty fields are left out.
public struct ValueFields: Sendable, Equatable {
    /// A member of the typed object in an event.
    public struct Field: Sendable, Equatable {
        public var name: String
        public var content: Content
        /// Whether people want to read it: a part of `display`.
        public var isShown: Bool
    }

    /// The value of a member, as JSON has it.
    public indirect enum Content: Sendable, Equatable {
        case text(String)
        case integer(Int)
        case number(Double)
        case flag(Bool)
        case object(ValueFields)
        case texts([String])
        case objects([ValueFields])
    }

    /// The fields in the order in which they are written.
    public private(set) var fields: [Field] = []

    public var isEmpty: Bool { fields.isEmpty }

    /// These fields without the ones of these names.
    public func hiding(_ names: Set<String>) -> ValueFields {
        var rest = self
        rest.fields.removeAll { names.contains($0.name) }
        return rest
    }

    /// The fields for people, one on each line.
    public var display: String {
        var lines: [String] = []
        for field in fields where field.isShown {
            switch field.content {
            case .text(let text): lines.append(text)
            case .integer(let value): lines.append(String(value))
            case .number(let value): lines.append(value.description)
            case .flag: break
            case .object(let object): lines.append(object.display)
            case .texts(let texts): lines += texts
            case .objects(let objects): lines += objects.map(\.display)
            }
        }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    init() {}

    mutating func add(_ name: String, _ text: String?, shown: Bool = false) {
        if let text, !text.isEmpty { append(name, .text(text), shown) }
    }

    mutating func add(_ name: String, _ value: Int?, shown: Bool = false) {
        if let value { append(name, .integer(value), shown) }
    }

    mutating func add(_ name: String, _ value: Double?, shown: Bool = false) {
        if let value, value.isFinite { append(name, .number(value), shown) }
    }

    /// Only what is true is said.
    mutating func add(_ name: String, ifTrue value: Bool) {
        if value { append(name, .flag(true), false) }
    }

    mutating func add(_ name: String, flag value: Bool) {
        append(name, .flag(value), false)
    }

    mutating func add(_ name: String, _ object: ValueFields?, shown: Bool = false) {
        if let object, !object.isEmpty { append(name, .object(object), shown) }
    }

    mutating func add(_ name: String, _ texts: [String], shown: Bool = false) {
        if !texts.isEmpty { append(name, .texts(texts), shown) }
    }

    mutating func add(_ name: String, _ objects: [ValueFields], shown: Bool = false) {
        let objects = objects.filter { !$0.isEmpty }
        if !objects.isEmpty { append(name, .objects(objects), shown) }
    }

    private mutating func append(_ name: String, _ content: Content, _ shown: Bool) {
        fields.append(Field(name: name, content: content, isShown: shown))
    }
}
