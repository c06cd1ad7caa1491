/// What a value of a line has to be: the part of JSON Schema that the event stream is described with.
package indirect enum Shape: Sendable, Equatable {
    /// A string of this form.
    case text(TextForm)
    /// A whole number from `least` up.
    case count(from: UInt64)
    /// A whole number.
    case integer
    case number(NumberRange)
    /// One of these whole numbers.
    case oneOf([Int])
    case bool
    /// `true`: what is false is absent.
    case yes
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

    package init(least: Double? = nil, above: Double? = nil, most: Double? = nil) {
        self.least = least
        self.above = above
        self.most = most
    }

    static let all = NumberRange()
    static let ratio = NumberRange(least: 0, most: 1)

    func contains(_ value: Double) -> Bool {
        value.isFinite && value >= least ?? -.infinity && value > above ?? -.infinity && value <= most ?? .infinity
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
    package var shapes: [String: Shape] = [:]

    package init(
        _ required: Set<String> = [], anyOf: Set<Set<String>> = [], absent: Set<String> = [],
        needs: [String: String] = [:], _ shapes: [String: Shape] = [:]
    ) {
        self.required = required
        self.anyOf = anyOf
        self.absent = absent
        self.needs = needs
        self.shapes = shapes
    }

    /// Both.
    package func with(_ other: Members) -> Members {
        Members(
            required.union(other.required), anyOf: anyOf.union(other.anyOf), absent: absent.union(other.absent),
            needs: needs.merging(other.needs) { $1 }, shapes.merging(other.shapes) { $1 })
    }
}

package enum TextForm: Sendable, Equatable {
    case any, nonEmpty, name, time, base64, sha256

    func fits(_ text: String) -> Bool {
        let bytes = text.utf8
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
        switch self {
        case .any: return true
        case .nonEmpty: return !bytes.isEmpty
        case .name: return !bytes.isEmpty && bytes.allSatisfy { isLower($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
        case .sha256: return bytes.count == 64 && bytes.allSatisfy { isDigit($0) || (0x61...0x66).contains($0) }
        case .time:
            let pattern = "0000-00-00T00:00:00.000000000Z".utf8
            return bytes.count == pattern.count
                && zip(bytes, pattern).allSatisfy { $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 }
        case .base64:
            let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
            return bytes.count % 4 == 0 && padding <= 2
                && bytes.dropLast(padding).allSatisfy {
                    isLower($0) || isDigit($0) || (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "+")
                        || $0 == UInt8(ascii: "/")
                }
        }
    }
}
