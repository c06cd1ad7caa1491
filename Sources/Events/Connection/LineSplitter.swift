/// Cuts a stream of bytes into lines; a line over the limit is thrown away whole, however long it goes on.
package struct LineSplitter: Sendable {
    package enum Piece: Sendable, Equatable {
        /// Without its newline.
        case line([UInt8])
        /// There was a line over the limit; its beginning.
        case tooLong([UInt8])
    }

    private let limit: Int
    private var buffer: [UInt8] = []
    private var isDiscarding = false

    /// - Parameter limit: bytes of the longest line.
    package init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: the lines that `bytes` completes. A line is reported as too long as soon as it is.
    package mutating func append(_ bytes: some Collection<UInt8>) -> [Piece] {
        var pieces: [Piece] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(end ?? rest.endIndex)]
            if !isDiscarding {
                buffer.append(contentsOf: part.prefix(limit + 1 - buffer.count))
                if buffer.count > limit {
                    pieces.append(.tooLong(Array(buffer.prefix(256))))
                    buffer.removeAll()
                    isDiscarding = true
                }
            }
            guard let end else { break }
            if !isDiscarding { pieces.append(.line(buffer)) }
            buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
            isDiscarding = false
            rest = rest[rest.index(after: end)...]
        }
        return pieces
    }

    /// What came after the last newline, at the end of the stream.
    package mutating func finish() -> [UInt8]? {
        defer { buffer.removeAll() }
        return buffer.isEmpty ? nil : buffer
    }
}
