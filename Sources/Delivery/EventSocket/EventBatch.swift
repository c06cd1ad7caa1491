// SPDX-License-Identifier: Apache-2.0
import EventLog
import NIOCore

/// The lines of records that were recorded together. They are encoded when the first subscriber needs them, and then
/// shared.
struct EventBatch {
    private let sequences: Range<UInt64>
    private var buffer: ByteBuffer?

    init(sequences: Range<UInt64> = 0..<0) {
        self.sequences = sequences
    }

    /// A slice of the batch's bytes, or for older records a copy from the journal.
    mutating func bytes(of wanted: Range<UInt64>, _ log: borrowing EventLog) -> ByteBuffer {
        guard sequences.lowerBound <= wanted.lowerBound, wanted.upperBound <= sequences.upperBound,
            log.journal.firstSequence <= sequences.lowerBound
        else { return Self.lines(of: wanted, log) }
        let buffer = self.buffer ?? Self.lines(of: sequences, log)
        self.buffer = buffer
        let start = log.journal.offset(of: sequences.lowerBound)
        let first = Int(log.journal.offset(of: wanted.lowerBound) - start)
        guard let slice = buffer.getSlice(at: first, length: Self.length(of: wanted, log)) else {
            preconditionFailure("a batch is as long as its lines")
        }
        return slice
    }

    private static func lines(of sequences: Range<UInt64>, _ log: borrowing EventLog) -> ByteBuffer {
        let length = length(of: sequences, log)
        var lines = ByteBufferAllocator().buffer(capacity: length)
        lines.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { log.write(linesOf: sequences, to: $0) }
        return lines
    }

    private static func length(of sequences: Range<UInt64>, _ log: borrowing EventLog) -> Int {
        Int(log.journal.offset(of: sequences.upperBound) - log.journal.offset(of: sequences.lowerBound))
    }
}
