// SPDX-License-Identifier: Apache-2.0
/// The encoding of numbers and texts on a tape.
///
/// Whole numbers are LEB128, signed ones zigzag-encoded first. Other numbers are IEEE 754 bits, little-endian. Texts
/// are UTF-8 after their length.
extension [UInt8] {
    mutating func put(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    mutating func put(_ value: Int64) { put(UInt64(bitPattern: value << 1 ^ value >> 63)) }
    mutating func put(count value: Int) { put(UInt64(value)) }
    mutating func put(_ value: Int) { put(Int64(value)) }
    mutating func put(_ value: Bool) { append(value ? 1 : 0) }

    mutating func put(_ value: Float) {
        put(littleEndian: UInt64(value.bitPattern), bytes: 4)
    }

    mutating func put(_ value: Double) { put(littleEndian: value.bitPattern, bytes: 8) }

    mutating func put(littleEndian bits: UInt64, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * index))) }
    }

    mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            put(count: utf8.count)
            append(contentsOf: utf8)
        }
    }

    mutating func put(bytes: [UInt8]) {
        put(count: bytes.count)
        append(contentsOf: bytes)
    }

    mutating func put(_ value: some RawRepresentable<String>) { put(value.rawValue) }

    /// Writes a flag, then the value if present.
    mutating func put<Value>(_ value: Value?, _ write: (inout [UInt8], Value) -> Void) {
        put(value != nil)
        if let value { write(&self, value) }
    }

    /// Writes the count, then each element.
    mutating func put<Item>(all items: [Item], _ write: (inout [UInt8], Item) -> Void) {
        put(count: items.count)
        for item in items { write(&self, item) }
    }
}
