// SPDX-License-Identifier: Apache-2.0
import Glibc

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
    /// A copy of the rest.
    package var restBytes: [UInt8] {
        payload.withUnsafeBufferPointer { all in
            [UInt8](UnsafeBufferPointer(rebasing: all[(position - payload.startIndex)...]))
        }
    }
    package var isAtEnd: Bool { position == payload.endIndex }

    package mutating func byte() -> UInt8? {
        take(1).map { payload[$0] }
    }

    package mutating func integer(bytes: Int = 8) -> UInt64? {
        guard let start = take(bytes) else { return nil }
        return payload.withUnsafeBytes { all in
            let start = start - payload.startIndex
            switch bytes {
            case 8: return UInt64(littleEndian: all.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            case 4: return UInt64(UInt32(littleEndian: all.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
            default: return all[start..<(start + bytes)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
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

    /// Takes these bytes if they are next.
    ///
    /// - Returns: whether they are taken.
    package mutating func take(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= payload.endIndex - position else { return false }
        let offset = position - payload.startIndex
        let isNext = payload.withUnsafeBytes { all in
            bytes.withUnsafeBytes { bytes in
                // `elementsEqual` compares byte by byte.
                guard let next = all.baseAddress, let first = bytes.baseAddress else { return true }
                return memcmp(next + offset, first, bytes.count) == 0
            }
        }
        if isNext { position += bytes.count }
        return isNext
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
