// SPDX-License-Identifier: Apache-2.0
/// A value without its required shape.
struct ShapeMismatch: Error {
    /// The names of members and the indices of arrays, joined by dots; empty for the line itself.
    var path: String
    var problem: String

    init(_ path: [any CodingKey], _ problem: String) {
        self.path = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        self.problem = problem
    }
}

extension Shape {
    /// Decodes the value as this shape, so that a valid value causes no failed attempt.
    ///
    /// - Throws: `ShapeMismatch`.
    func check(_ value: any Decoder) throws {
        do {
            guard try holds(value) else { throw ShapeMismatch(value.codingPath, "is not \(self)") }
        } catch is DecodingError {
            throw ShapeMismatch(value.codingPath, "is not \(self)")
        }
    }

    private func holds(_ value: any Decoder) throws -> Bool {
        switch self {
        case .defined(let name): try StreamSchema.definition(name).check(value)
        case .word(let words): return words.contains(try value.singleValueContainer().decode(String.self))
        case .text(let form): return form.fits(try value.singleValueContainer().decode(String.self))
        case .count(let least): return try value.singleValueContainer().decode(UInt64.self) >= least
        case .integer: _ = try value.singleValueContainer().decode(Int64.self)
        case .number(let range): return range.contains(try value.singleValueContainer().decode(Double.self))
        case .oneOf(let values): return values.contains(try value.singleValueContainer().decode(Int.self))
        case .bool: _ = try value.singleValueContainer().decode(Bool.self)
        case .alwaysTrue: return try value.singleValueContainer().decode(Bool.self)
        case .list(let element, let count):
            var elements = try value.unkeyedContainer()
            guard let found = elements.count, count.contains(found) else { return false }
            while !elements.isAtEnd { try element.check(elements.superDecoder()) }
        case .map(let element):
            let members = try value.container(keyedBy: MemberName.self)
            for name in members.allKeys { try element.check(members.superDecoder(forKey: name)) }
        case .object(let members): try members.check(value)
        case .any: return try Self.isJSON(value)
        }
        return true
    }

    /// Decodes values of any shape too, so that an invalid number is found.
    private static func isJSON(_ value: any Decoder) throws -> Bool {
        if (try? value.container(keyedBy: MemberName.self)) != nil {
            try Shape.map(.any).check(value)
        } else if (try? value.unkeyedContainer()) != nil {
            try Shape.list(.any).check(value)
        } else {
            let single = try value.singleValueContainer()
            return single.decodeNil() || (try? single.decode(String.self)) != nil
                || (try? single.decode(Bool.self)) != nil
                || (try? single.decode(Double.self)) != nil
        }
        return true
    }
}

extension Members {
    /// - Throws: `ShapeMismatch`.
    func check(_ value: any Decoder) throws {
        let members = try value.container(keyedBy: MemberName.self)
        let names = Set(members.allKeys.map(\.stringValue))
        func fail(_ name: String, _ problem: String) -> ShapeMismatch {
            ShapeMismatch(value.codingPath + [MemberName(name)], problem)
        }
        if let missing = required.subtracting(names).min() { throw fail(missing, "is missing") }
        if let wrong = absent.intersection(names).min() { throw fail(wrong, "must be absent") }
        if !anyOf.isEmpty, !anyOf.contains(where: names.isSuperset) {
            let sets = anyOf.map { $0.sorted().joined(separator: " and ") }.sorted().joined(separator: ", or ")
            throw ShapeMismatch(value.codingPath, "has neither \(sets)")
        }
        for (name, other) in needs.sorted(by: { $0.key < $1.key }) where names.contains(name) && !names.contains(other)
        {
            throw fail(other, "is missing, but \(name) requires it")
        }
        if isNeverEmpty, names.isEmpty { throw ShapeMismatch(value.codingPath, "is empty") }
        for name in members.allKeys {
            try (shapes[name.stringValue] ?? .any).check(members.superDecoder(forKey: name))
        }
        for rule in rules {
            let holds = try rule.condition.holds(members, names)
            try (holds ? rule.then : rule.otherwise)?.check(value)
        }
    }
}

extension Members.Rule.Condition {
    fileprivate func holds(_ members: KeyedDecodingContainer<MemberName>, _ names: Set<String>) throws -> Bool {
        switch self {
        case .has(let name): return names.contains(name.stringValue)
        case .member(let name, let values):
            guard names.contains(name.stringValue) else { return false }
            return values.contains(try members.decode(String.self, forKey: MemberName(name.stringValue)))
        }
    }
}

extension Shape: CustomStringConvertible {
    /// The shape in words, with an article.
    package var description: String {
        switch self {
        case .defined(let name): StreamSchema.definition(name).description
        case .word(let words): words.joined(separator: " or ")
        case .text(.any): "a string"
        case .text(.nonEmpty): "a non-empty string"
        case .text(.name): "a name of a-z, 0-9 and _"
        case .text(.time): "a time as 1970-01-01T00:00:00.000000000Z"
        case .text(.base64): "base64"
        case .text(.sha256): "64 hexadecimal digits"
        case .text(let form): "a string like \(form.pattern ?? "")"
        case .count(let least): "a whole number from \(least) up"
        case .integer: "a whole number"
        case .number(let range): "a number\(range.description)"
        case .oneOf(let values): values.map(String.init).joined(separator: " or ")
        case .bool: "true or false"
        case .alwaysTrue: "true"
        case .list(_, let count) where count.lowerBound == count.upperBound: "an array of \(count.lowerBound)"
        case .list: "an array"
        case .map, .object: "an object"
        case .any: "JSON"
        }
    }
}

extension NumberRange: CustomStringConvertible {
    package var description: String {
        switch (least, above, most) {
        case (let least?, _, let most?): " from \(least) to \(most)"
        case (let least?, _, nil): " from \(least) up"
        case (nil, let above?, _): " above \(above)"
        default: ""
        }
    }
}

struct MemberName: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
