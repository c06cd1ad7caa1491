// SPDX-License-Identifier: Apache-2.0
/// How the value of one key is read and written: `.integer(1...100)`, `.choice()`, `.list(.text)`.
struct ValueFormat<Value>: Sendable {
    /// The values that are accepted, in words: `0 to 1`.
    let values: String
    /// The value as a file has it; nil when no file can say it.
    let write: @Sendable (Value) -> TOMLNode?
    let read: @Sendable (TOMLNode) throws(ValueProblem) -> Value
    /// Makes relative paths in the value absolute. The second argument does it for one path.
    private(set) var resolve: @Sendable (Value, (String) -> String) -> Value = { value, _ in value }

    init(
        _ values: String, _ write: @escaping @Sendable (Value) -> TOMLNode?,
        read: @escaping @Sendable (TOMLNode) throws(ValueProblem) -> Value
    ) {
        self.values = values
        self.write = write
        self.read = read
    }
}

/// The problem of a value, as the words after the key: `must be 1 to 100, not 0`.
struct ValueProblem: Error {
    var text: String
    var suggestion: String?
    /// The element of the list that is to blame.
    var element: Int?

    init(_ text: String, suggestion: String? = nil) {
        self.text = text
        self.suggestion = suggestion
    }

    static func wrongType(_ expected: String, _ node: TOMLNode) -> ValueProblem {
        ValueProblem("must be \(expected), not \(node.typeName)")
    }
}

/// A value as an error shows it: on one line, not too long, and never an address: that may hold a password.
func quoted(_ value: String) -> String {
    if value.contains("://") || value.contains("@") { return "(an address, not shown)" }
    var text = ""
    for scalar in value.unicodeScalars.prefix(60) {
        text += scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return "\"\(text)\(value.unicodeScalars.count > 60 ? "..." : "")\""
}

extension ValueFormat<Bool> {
    static var boolean: Self {
        .init("true or false", { .boolean($0) }) { node throws(ValueProblem) in
            guard case .boolean(let value) = node else { throw .wrongType("true or false", node) }
            return value
        }
    }
}

extension ValueFormat<Int> {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        .init("\(range.lowerBound) to \(range.upperBound)", { .integer($0) }) { node throws(ValueProblem) in
            guard case .integer(let value) = node else { throw .wrongType("an integer", node) }
            guard range.contains(value) else {
                throw .init("must be \(range.lowerBound) to \(range.upperBound), not \(value)")
            }
            return value
        }
    }

    /// A string with a unit, in bytes.
    static func byteCount(_ range: ClosedRange<Int> = 0...Int.max) -> Self {
        let least = "bytes, \(Units.text(byteCount: range.lowerBound)) or more"
        let limits = "bytes, \(Units.text(byteCount: range.lowerBound)) to \(Units.text(byteCount: range.upperBound))"
        return .init(range.upperBound == .max ? least : limits, { .string(Units.text(byteCount: $0)) }) {
            node throws(ValueProblem) in
            let expected = "a byte count such as \"64MiB\""
            guard case .string(let text) = node else { throw .wrongType(expected, node) }
            guard let count = Units.byteCount(text) else {
                throw .init(
                    "must be \(expected), not \(quoted(text))",
                    suggestion: "a whole number and B, KiB, MiB, GiB, TiB, kB, MB, GB or TB")
            }
            guard range.contains(count) else {
                let limit =
                    count < range.lowerBound
                    ? "at least \(Units.text(byteCount: range.lowerBound))"
                    : "at most \(Units.text(byteCount: range.upperBound))"
                throw .init("must be \(limit), not \(quoted(text))")
            }
            return count
        }
    }
}

extension ValueFormat<Double> {
    /// Whole numbers too.
    static func number(_ range: ClosedRange<Double>) -> Self {
        let write = { @Sendable (value: Double) in Int(exactly: value).map(TOMLNode.integer) ?? .float(value) }
        return .init("\(plain(range.lowerBound)) to \(plain(range.upperBound))", write) { node throws(ValueProblem) in
            let value: Double
            switch node {
            case .integer(let integer): value = Double(integer)
            case .float(let float): value = float
            default: throw .wrongType("a number", node)
            }
            // NaN is in no range.
            guard range.contains(value) else {
                throw .init("must be \(plain(range.lowerBound)) to \(plain(range.upperBound)), not \(plain(value))")
            }
            return value
        }
    }

    static var proportion: Self { number(0...1) }

    /// 1, not 1.0, where it is the same.
    private static func plain(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}

extension ValueFormat<Duration> {
    static func duration(_ least: Duration, to most: Duration) -> Self {
        let limits = "\(Units.text(least)) to \(Units.text(most))"
        return .init("duration, \(limits)", { .string(Units.text($0)) }) { node throws(ValueProblem) in
            let expected = "a duration such as \"250ms\" or \"10s\""
            guard case .string(let text) = node else { throw .wrongType(expected, node) }
            guard let duration = Units.duration(text) else {
                throw .init(
                    "must be \(expected), not \(quoted(text))", suggestion: "a whole number and ms, s, m, h or d")
            }
            guard (least...most).contains(duration) else { throw .init("must be \(limits), not \(quoted(text))") }
            return duration
        }
    }

    /// From a millisecond to a year.
    static var duration: Self { duration(.milliseconds(1), to: .seconds(365 * 86400)) }
}

extension ValueFormat<String> {
    static var text: Self {
        .init("text", { .string($0) }) { node throws(ValueProblem) in
            guard case .string(let value) = node else { throw .wrongType("a string", node) }
            return value
        }
    }

    static var nonEmptyText: Self {
        text.checked { value throws(ValueProblem) in
            if value.isEmpty { throw .init("must not be empty") }
        }
    }
}

extension ValueFormat where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
    static func choice() -> Self {
        let names = Value.allCases.map(\.rawValue)
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return .init(list, { .string($0.rawValue) }) { node throws(ValueProblem) in
            guard case .string(let text) = node else { throw .wrongType("one of \(list)", node) }
            guard let value = Value(rawValue: text) else {
                throw .init("must be one of \(list), not \(quoted(text))", suggestion: didYouMean(text, among: names))
            }
            return value
        }
    }
}

extension ValueFormat {
    static func list<Element>(_ element: ValueFormat<Element>) -> Self where Value == [Element] {
        let write = { @Sendable (values: [Element]) -> TOMLNode? in
            let nodes = values.compactMap(element.write)
            return nodes.count == values.count ? .array(nodes) : nil
        }
        return .init("list of \(element.values)", write) { node throws(ValueProblem) in
            guard case .array(let nodes) = node else { throw .wrongType("an array", node) }
            var values: [Element] = []
            for (index, node) in nodes.enumerated() {
                do throws(ValueProblem) {
                    values.append(try element.read(node))
                } catch {
                    var problem = error
                    problem.element = index
                    throw problem
                }
            }
            return values
        }
    }

    /// These values as another type. `transform` throws the problem of a value, and `back` undoes the transform.
    func map<Other>(
        _ values: String? = nil, back: @escaping @Sendable (Other) -> Value?,
        _ transform: @escaping @Sendable (Value) throws(ValueProblem) -> Other
    ) -> ValueFormat<Other> {
        let (read, write) = (self.read, self.write)
        return ValueFormat<Other>(values ?? self.values, { back($0).flatMap(write) }) { node throws(ValueProblem) in
            try transform(try read(node))
        }
    }

    /// This format with a further rule, which throws the problem of a value.
    func checked(
        _ values: String? = nil, _ rule: @escaping @Sendable (Value) throws(ValueProblem) -> Void
    ) -> Self {
        map(values, back: { $0 }) { value throws(ValueProblem) in
            try rule(value)
            return value
        }
    }
}

extension ValueFormat {
    /// These values, and nil for an absent key.
    var optional: ValueFormat<Value?> {
        let resolve = self.resolve
        var format = map(back: { $0 }) { Optional($0) }
        format.resolve = { value, absolute in value.map { resolve($0, absolute) } }
        return format
    }
}

extension ValueFormat<String> {
    static var path: Self {
        nonEmptyText.checked("path") { text throws(ValueProblem) in
            guard !text.contains("://") else {
                throw .init(
                    "must be a path, not an address", suggestion: "kind = \"rtsp\" or \"launch\" takes addresses")
            }
        }
    }

    /// A path that starts at the folder of the file that has it, or, given by argument, at the working directory.
    static var file: Self {
        var format = path
        format.resolve = { path, absolute in absolute(path) }
        return format
    }
}

extension ValueFormat<[String]> {
    /// A program and its arguments. Arguments that begin with `./` or `../` are paths, which start where `file`'s do.
    static var command: Self {
        var format = list(ValueFormat<String>.nonEmptyText).checked("list of text") { words throws(ValueProblem) in
            if words.isEmpty { throw .init("must name a program") }
            if words.contains(where: { $0.utf8.contains(0) }) { throw .init("must have no NUL") }
        }
        format.resolve = { words, absolute in
            words.map { $0.hasPrefix("./") || $0.hasPrefix("../") ? absolute($0) : $0 }
        }
        return format
    }
}
