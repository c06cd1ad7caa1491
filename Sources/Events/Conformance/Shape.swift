// SPDX-License-Identifier: Apache-2.0
import EventLines

/// The required shape of a value: the part of JSON Schema that describes the event stream.
package indirect enum Shape: Sendable, Equatable {
    /// The shape of this name in `StreamSchema.definitions`.
    case defined(String)
    /// A string of this form.
    case text(TextForm)
    /// One of these strings.
    case word([String])
    /// A whole number from `least` up.
    case count(from: UInt64)
    /// A whole number.
    case integer
    case number(NumberRange)
    /// One of these whole numbers.
    case oneOf([Int])
    case bool
    /// `true`: a false value is expressed by absence.
    case alwaysTrue
    /// An array whose number of elements is in the range.
    case list(Shape, count: ClosedRange<Int> = 0...Int.max)
    /// An object with arbitrary member names.
    case map(Shape)
    case object(Members)
    /// Any JSON value.
    case any
}

package struct NumberRange: Sendable, Equatable {
    package var least: Double?
    package var above: Double?
    package var most: Double?
    /// Whether the number must be whole.
    package var isWhole: Bool

    package init(least: Double? = nil, above: Double? = nil, most: Double? = nil, isWhole: Bool = false) {
        self.least = least
        self.above = above
        self.most = most
        self.isWhole = isWhole
    }

    static let all = NumberRange()
    static let ratio = NumberRange(least: 0, most: 1)

    static func whole(_ range: ClosedRange<Int>) -> NumberRange {
        NumberRange(least: Double(range.lowerBound), most: Double(range.upperBound), isWhole: true)
    }

    func contains(_ value: Double) -> Bool {
        value.isFinite && value >= least ?? -.infinity && value > above ?? -.infinity && value <= most ?? .infinity
            && (!isWhole || value == value.rounded())
    }
}

/// The members of an object. Members without a shape here may be anything.
package struct Members: Sendable, Equatable {
    package var required: Set<String> = []
    /// At least one of these sets must be present.
    package var anyOf: Set<Set<String>> = []
    /// Members that must be absent.
    package var absent: Set<String> = []
    /// Pairs of members: if the key is present, the value must be present too.
    package var needs: [String: String] = [:]
    /// Whether at least one member must be present.
    package var isNeverEmpty = false
    package var shapes: [String: Shape] = [:]
    /// The names of `shapes` in the order of the document.
    package private(set) var order: [String] = []
    /// Conditional requirements.
    package var rules: [Rule] = []

    /// A conditional requirement: `then` applies where the condition holds, `otherwise` elsewhere.
    package struct Rule: Sendable, Equatable {
        package enum Condition: Sendable, Equatable {
            case has(FieldName)
            /// The member is present and equals one of these strings.
            case member(FieldName, is: [String])
        }

        package var condition: Condition
        package var then: Members
        package var otherwise: Members?

        package init(_ condition: Condition, then: Members, otherwise: Members? = nil) {
            self.condition = condition
            self.then = then
            self.otherwise = otherwise
        }
    }

    package init(
        _ required: [FieldName] = [], anyOf: [[FieldName]] = [], absent: [FieldName] = [],
        needs: KeyValuePairs<FieldName, FieldName> = [:], _ shapes: KeyValuePairs<FieldName, Shape> = [:],
        rules: [Rule] = []
    ) {
        self.required = Self.names(required)
        self.anyOf = Set(anyOf.map(Self.names))
        self.absent = Self.names(absent)
        self.needs = Dictionary(uniqueKeysWithValues: needs.map { ($0.key.stringValue, $0.value.stringValue) })
        self.shapes = Dictionary(shapes.map { ($0.key.stringValue, $0.value) }) { $1 }
        order = shapes.map(\.key.stringValue)
        self.rules = rules
    }

    private static func names(_ names: [FieldName]) -> Set<String> { Set(names.map(\.stringValue)) }

    /// The members of a barcode's typed value, whose names are not stream field names.
    static func value(_ required: Set<String>, _ shapes: KeyValuePairs<String, Shape>) -> Members {
        var members = Members()
        members.required = required
        members.shapes = Dictionary(shapes.map { ($0.key, $0.value) }) { $1 }
        members.order = shapes.map(\.key)
        return members
    }

    /// The members of a barcode's typed value. Each may be absent, but not all of them.
    static func nonEmpty(_ shapes: KeyValuePairs<String, Shape>) -> Members {
        var members = value([], shapes)
        members.isNeverEmpty = true
        return members
    }

    /// Combines both sets of requirements.
    package func with(_ other: Members) -> Members {
        var both = self
        both.required.formUnion(other.required)
        both.anyOf.formUnion(other.anyOf)
        both.absent.formUnion(other.absent)
        both.needs.merge(other.needs) { $1 }
        both.isNeverEmpty = isNeverEmpty || other.isNeverEmpty
        both.shapes.merge(other.shapes) { $1 }
        both.order += other.order.filter { shapes[$0] == nil }
        both.rules += other.rules
        return both
    }
}
