import Glibc

/// Cuts a stream of bytes into lines; a line over the limit is thrown away whole, however long it goes on.
package struct LineSplitter: Sendable {
    package enum Piece: Sendable, Equatable {
        /// Without its newline.
        case line([UInt8])
        /// There was a line over the limit; its beginning.
        case tooLong([UInt8])
        /// It has as many bytes more as the limit has.
        case goesOn
    }

    private let limit: Int
    private var buffer: [UInt8] = []
    /// Bytes of a line over the limit since the last piece that tells of it; nil: the line is none.
    private var discarded: Int?

    /// - Parameter limit: bytes of the longest line.
    package init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: the lines that `bytes` completes. A line is reported as too long as soon as it is.
    package mutating func append(_ bytes: some Collection<UInt8>) -> [Piece] {
        var pieces: [Piece] = []
        if bytes.withContiguousStorageIfAvailable({ append($0, &pieces) }) == nil {
            Array(bytes).withUnsafeBufferPointer { append($0, &pieces) }
        }
        return pieces
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ pieces: inout [Piece]) {
        var rest = bytes[...]
        while !rest.isEmpty, let start = UnsafeBufferPointer(rebasing: rest).baseAddress {
            let newline = memchr(start, CInt(UInt8(ascii: "\n")), rest.count)
            let count = newline.map { UnsafeRawPointer($0) - UnsafeRawPointer(start) } ?? rest.count
            append(part: rest.prefix(count), &pieces)
            guard newline != nil else { return }
            if discarded == nil { pieces.append(.line(buffer)) }
            buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
            discarded = nil
            rest = rest.dropFirst(count + 1)
        }
    }

    private mutating func append(part: Slice<UnsafeBufferPointer<UInt8>>, _ pieces: inout [Piece]) {
        var beyond = part.count
        if discarded == nil {
            let room = limit + 1 - buffer.count
            buffer.append(contentsOf: part.prefix(room))
            guard buffer.count > limit else { return }
            pieces.append(.tooLong(Array(buffer.prefix(256))))
            buffer.removeAll()
            beyond -= room
        }
        let all = (discarded ?? 0) + beyond
        for _ in 0..<(all / limit) { pieces.append(.goesOn) }
        discarded = all % limit
    }

    /// What came after the last newline, at the end of the stream.
    package mutating func finish() -> [UInt8]? {
        defer { buffer.removeAll() }
        return buffer.isEmpty ? nil : buffer
    }
}
