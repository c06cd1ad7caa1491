/// Bytes that grow at their end.
///
/// Sound though it is unsafe: it cannot be copied, so nobody else has the memory, and what is written was reserved before. An array asks at
/// each append whether it is alone and has room; a line of the event stream is 200 appends.
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

    /// Makes room.
    ///
    /// - Returns: where up to `size` bytes may be written, of which `commit` says how many were.
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

/// Writes decimal digits; each returns how many bytes it wrote.
package enum Digits {
    /// The most that `write` of a number takes.
    static let most = 20

    @inline(__always)
    static func write(_ value: UInt64, to place: UnsafeMutablePointer<UInt8>) -> Int {
        let count = count(value)
        write(value, count, to: place)
        return count
    }

    /// With zeros in front, so that there are `count`.
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

    /// Below 100.
    @inline(__always)
    static func two(_ value: UInt32, to place: UnsafeMutablePointer<UInt8>) {
        let tens = (value &* 103) >> 10
        place[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tens)
        place[1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value &- tens &* 10)
    }

    /// How many digits a number has.
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
