// SPDX-License-Identifier: Apache-2.0
/// A byte buffer that grows at its end.
///
/// The type is safe although it uses unsafe pointers. It is not copyable, so it has the only reference to its memory,
/// and each write follows a reservation.
///
/// An array would check uniqueness and capacity at each append. A line of the event stream takes about 200 appends.
@usableFromInline
struct JSONBuffer: ~Copyable, @unchecked Sendable {
    @usableFromInline private(set) var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var count = 0
    @usableFromInline var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    @inlinable deinit { start.deallocate() }

    mutating func removeAll() { count = 0 }

    /// Reserves room.
    ///
    /// - Returns: a place for up to `size` bytes; `commit` then states how many were written.
    @inlinable @inline(__always)
    mutating func reserve(_ size: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < size { grow(by: size) }
        return start + count
    }

    @inlinable @inline(__always)
    mutating func commit(_ size: Int) {
        assert(size <= capacity - count)
        count += size
    }

    @inlinable @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        commit(1)
    }

    @inlinable @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let first = bytes.baseAddress else { return }
        reserve(bytes.count).update(from: first, count: bytes.count)
        commit(bytes.count)
    }

    @usableFromInline
    func bytes(from first: Int = 0) -> [UInt8] {
        Array(UnsafeBufferPointer(start: start + first, count: count - first))
    }

    @usableFromInline @inline(never)
    mutating func grow(by size: Int) {
        capacity = max(2 * capacity, count + size)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }
}

/// Writes decimal digits. Each function returns the number of bytes written.
package enum Digits {
    /// The most bytes that `write` takes for one number.
    static let most = 20

    @inline(__always)
    package static func write(_ value: UInt64, to place: UnsafeMutablePointer<UInt8>) -> Int {
        let count = count(value)
        write(value, count, to: place)
        return count
    }

    /// Writes exactly `count` digits, with leading zeros.
    @inline(__always)
    static func write(_ value: UInt64, _ count: Int, to place: UnsafeMutablePointer<UInt8>) {
        var (rest, left) = (value, count)
        while left >= 2 {
            let next = rest / 100
            two(UInt32(truncatingIfNeeded: rest &- next &* 100), to: place + (left - 2))
            (rest, left) = (next, left - 2)
        }
        if left == 1 { place.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10) }
    }

    /// Writes two digits of a value below 100.
    @inline(__always)
    static func two(_ value: UInt32, to place: UnsafeMutablePointer<UInt8>) {
        let tens = (value &* 103) >> 10
        place[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tens)
        place[1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value &- tens &* 10)
    }

    /// The number of digits of a value.
    @inline(__always)
    package static func count(_ value: UInt64) -> Int {
        var (count, limit): (Int, UInt64) = (1, 10)
        while value >= limit {
            count += 1
            if count == most { break }
            limit &*= 10
        }
        return count
    }
}
