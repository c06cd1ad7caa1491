// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Splits a stream of bytes into lines. A line over the limit is dropped completely, however long it is.
package struct LineSplitter: Sendable {
    package enum Piece: Sendable, Equatable {
        /// A line without its newline.
        case line([UInt8])
        /// A line exceeds the limit; the value is its beginning.
        case tooLong([UInt8])
        /// The line over the limit has grown by another `limit` bytes.
        case goesOn
    }

    private let limit: Int
    private var buffer: [UInt8] = []
    /// The bytes of the current line over the limit since the last piece that reported it; nil if the current line is
    /// within the limit.
    private var discarded: Int?

    /// - Parameter limit: the longest line in bytes.
    package init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: the lines that `bytes` completes. A line over the limit is reported as soon as it exceeds the limit.
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

    /// The bytes after the last newline, at the end of the stream.
    package mutating func finish() -> [UInt8]? {
        defer { buffer.removeAll() }
        return buffer.isEmpty ? nil : buffer
    }
}
