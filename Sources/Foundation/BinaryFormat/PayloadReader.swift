// SPDX-License-Identifier: Apache-2.0
/// Takes integers (64 bits, little-endian) and strings (32-bit count of UTF-8 bytes, then those) off the front of a
/// payload.
package struct PayloadReader {
    private let payload: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        payload = bytes
        position = bytes.startIndex
    }

    package var rest: ArraySlice<UInt8> { payload[position...] }
    package var isAtEnd: Bool { position == payload.endIndex }

    package mutating func byte() -> UInt8? {
        take(1).map { payload[$0] }
    }

    package mutating func integer(bytes: Int = 8) -> UInt64? {
        guard let start = take(bytes) else { return nil }
        return payload.withUnsafeBufferPointer { all in
            var value: UInt64 = 0
            for byte in all[(start - payload.startIndex)...].prefix(bytes).reversed() {
                value = value << 8 | UInt64(byte)
            }
            return value
        }
    }

    package mutating func string() -> String? {
        guard let count = integer(bytes: 4), let start = take(Int(count)) else { return nil }
        return payload.withUnsafeBufferPointer { all in
            let bytes = UnsafeBufferPointer(rebasing: all[(start - payload.startIndex)...].prefix(Int(count)))
            // A text that decoding repairs differs from the sent bytes. `String(validating:as:)` is generic at run
            // time, for ten times the cost.
            var text = String(decoding: bytes, as: UTF8.self)
            // Bytes are compared here, because the indices of a text take 70 instructions each.
            return text.withUTF8 { $0.elementsEqual(bytes) } ? text : nil
        }
    }

    package mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        take(count).map { payload[$0..<$0 + count] }
    }

    /// - Returns: where the next `count` bytes begin, which are taken; nil, with nothing taken, when there are fewer.
    private mutating func take(_ count: Int) -> Int? {
        guard count >= 0, count <= payload.endIndex - position else { return nil }
        defer { position += count }
        return position
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
