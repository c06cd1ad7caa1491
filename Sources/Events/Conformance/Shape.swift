import EventLines

/// What a value of a line has to be: the part of JSON Schema that the event stream is described with.
package indirect enum Shape: Sendable, Equatable {
    /// What `StreamSchema.definitions` has under this name.
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
    /// `true`: what is false is absent.
    case alwaysTrue
    /// An array of so many.
    case list(Shape, count: ClosedRange<Int> = 0...Int.max)
    /// An object whose members have names of their own.
    case map(Shape)
    case object(Members)
    /// Anything that is JSON.
    case any
}

package struct NumberRange: Sendable, Equatable {
    package var least: Double?
    package var above: Double?
    package var most: Double?
    /// Whether it has to be whole.
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

/// The members of an object. Those that have no shape here may be anything.
package struct Members: Sendable, Equatable {
    package var required: Set<String> = []
    /// One of these sets is there.
    package var anyOf: Set<Set<String>> = []
    /// Not there.
    package var absent: Set<String> = []
    /// Where the one is there, the other is too.
    package var needs: [String: String] = [:]
    /// At least one is there.
    package var isNeverEmpty = false
    package var shapes: [String: Shape] = [:]
    /// The names of `shapes`, as they are to be read.
    package private(set) var order: [String] = []
    /// What depends on what is there.
    package var rules: [Rule] = []

    /// Where the condition holds the members are `then` too, else `otherwise`.
    package struct Rule: Sendable, Equatable {
        package enum Condition: Sendable, Equatable {
            case has(FieldName)
            /// It is there, and one of these strings.
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

    /// Members of a barcode's typed value, whose names belong to the value.
    static func value(_ required: Set<String>, _ shapes: KeyValuePairs<String, Shape>) -> Members {
        var members = Members()
        members.required = required
        members.shapes = Dictionary(shapes.map { ($0.key, $0.value) }) { $1 }
        members.order = shapes.map(\.key)
        return members
    }

    /// Members of a barcode's typed value of which any may be absent, but not all.
    static func nonEmpty(_ shapes: KeyValuePairs<String, Shape>) -> Members {
        var members = value([], shapes)
        members.isNeverEmpty = true
        return members
    }

    /// Both.
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
