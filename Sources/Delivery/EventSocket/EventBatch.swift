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
    mutating func bytes(of wanted: Range<UInt64>, _ log: EventLog) -> ByteBuffer {
        guard sequences.lowerBound <= wanted.lowerBound, wanted.upperBound <= sequences.upperBound,
            log.journal.firstSequence <= sequences.lowerBound
        else { return ByteBuffer(bytes: log.lines(of: wanted)) }
        let buffer = self.buffer ?? ByteBuffer(bytes: log.lines(of: sequences))
        self.buffer = buffer
        let journal = log.journal
        let start = journal.offset(of: sequences.lowerBound)
        let range =
            Int(journal.offset(of: wanted.lowerBound) - start)..<Int(journal.offset(of: wanted.upperBound) - start)
        guard let slice = buffer.getSlice(at: range.lowerBound, length: range.count) else {
            preconditionFailure("a batch is as long as its lines")
        }
        return slice
    }
}
