/// Takes integers (64 bits, little-endian) and strings (32-bit count of UTF-8 bytes, then those) off the front of a payload.
package struct PayloadReader {
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package mutating func byte() -> UInt8? { rest.popFirst() }

    package mutating func integer(bytes: Int = 8) -> UInt64? {
        guard rest.count >= bytes else { return nil }
        defer { rest.removeFirst(bytes) }
        return rest.prefix(bytes).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    package mutating func string() -> String? {
        guard let count = integer(bytes: 4), count <= UInt64(rest.count) else { return nil }
        defer { rest.removeFirst(Int(count)) }
        let bytes = rest.prefix(Int(count))
        // What is repaired while it is decoded is not what was sent. `String(validating:as:)` is generic at run time, for ten times the cost.
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    package mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest.removeFirst(count) }
        return rest.prefix(count)
    }
}

extension [UInt8] {
    package mutating func append(integer: UInt64, bytes: Int = 8) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: integer >> UInt64(8 * index))) }
    }

    package mutating func append(string: String) {
        append(integer: UInt64(string.utf8.count), bytes: 4)
        append(contentsOf: string.utf8)
    }
}
