// SPDX-License-Identifier: Apache-2.0
/// The bytes of the newest lines, in a ring of memory that grows up to a limit.
///
/// A line is identified by its offset: the number of bytes of all lines before it. Each line is in one piece, because
/// the memory has room for one line behind the ring's end. The part of a line behind the end is also at the ring's
/// beginning, so neighbouring lines are in at most two pieces.
struct LineRing: Sendable {
    private static let smallestSize = 1 << 16
    private static let smallestRoom = 1 << 12

    private var memory = Memory(size: 0, room: 0)
    /// The offset of the oldest line.
    private(set) var start: UInt64 = 0
    /// The offset of the next line.
    private(set) var end: UInt64 = 0

    var count: Int { Int(end - start) }

    /// Removes the lines before this offset, which is that of a line or `end`.
    mutating func removeLines(before offset: UInt64) { start = offset }

    /// Removes all lines and releases their memory.
    mutating func removeAll() { (start, memory) = (end, Memory(size: 0, room: 0)) }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - count: the length of the line.
    ///   - limit: the size from which on the ring grows no further than its lines need.
    ///   - write: writes `count` bytes.
    @inline(__always)
    mutating func append(count: Int, limit: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) {
        if self.count + count > memory.size || count > memory.room || !isKnownUniquelyReferenced(&memory) {
            move(toSizeFor: count, limit)
        }
        let place = memory.place(of: end)
        write(memory.bytes + place)
        let behind = place + count - memory.size
        if behind > 0 { memory.bytes.update(from: memory.bytes + memory.size, count: behind) }
        end += UInt64(count)
    }

    /// Calls `body` with the bytes of neighbouring lines: those up to the ring's end, and those from its beginning on.
    ///
    /// - Parameter offsets: from that of a line to that of a later line or `end`.
    @inline(__always)
    func withBytes<Result>(
        _ offsets: Range<UInt64>, _ body: (_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let (place, count) = (memory.place(of: offsets.lowerBound), offsets.count)
        let first = min(count, memory.size - place)
        return withExtendedLifetime(memory) {
            body(
                UnsafeRawBufferPointer(start: memory.bytes + place, count: first),
                UnsafeRawBufferPointer(start: memory.bytes, count: count - first))
        }
    }

    /// A copy of bytes of one line.
    func bytes(ofLinePart offsets: Range<UInt64>) -> [UInt8] {
        withExtendedLifetime(memory) {
            Array(UnsafeBufferPointer(start: memory.bytes + memory.place(of: offsets.lowerBound), count: offsets.count))
        }
    }

    /// Moves all lines to memory of its own with room for `count` more bytes.
    @inline(never)
    private mutating func move(toSizeFor count: Int, _ limit: Int) {
        var room = max(memory.room, Self.smallestRoom)
        while room < count { room *= 2 }
        var size = memory.size
        if self.count + count > size { size = max(self.count + count, min(max(2 * size, Self.smallestSize), limit)) }
        let new = Memory(size: size, room: room)
        withBytes(start..<end) { first, second in
            new.write(first, at: start)
            new.write(second, at: start + UInt64(first.count))
        }
        // The line that goes over the end goes on behind it.
        let wrapped = new.place(of: start) + self.count - size
        if wrapped > 0 { (new.bytes + size).update(from: new.bytes, count: min(room, wrapped)) }
        memory = new
    }
}

extension LineRing {
    /// The ring's memory.
    ///
    /// Unchecked, and sound: the members never change, and only a ring that is the memory's single owner writes to it.
    private final class Memory: @unchecked Sendable {
        /// The number of bytes after which the ring begins anew.
        let size: Int
        /// The number of bytes behind the ring's end.
        let room: Int
        let bytes: UnsafeMutablePointer<UInt8>

        /// The kernel provides pages when they are first written.
        init(size: Int, room: Int) {
            (self.size, self.room) = (size, room)
            bytes = .allocate(capacity: size + room)
        }

        deinit { bytes.deallocate() }

        func place(of offset: UInt64) -> Int { size == 0 ? 0 : Int(offset % UInt64(size)) }

        func write(_ source: UnsafeRawBufferPointer, at offset: UInt64) {
            guard let base = source.baseAddress, !source.isEmpty else { return }
            let place = place(of: offset)
            let first = min(source.count, size - place)
            UnsafeMutableRawPointer(bytes + place).copyMemory(from: base, byteCount: first)
            UnsafeMutableRawPointer(bytes).copyMemory(from: base + first, byteCount: source.count - first)
        }
    }
}
