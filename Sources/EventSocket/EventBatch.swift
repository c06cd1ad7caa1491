import Events
import NIOCore

/// The lines of records that were recorded together, made into bytes when somebody first needs them and then shared.
struct EventBatch {
    private let sequences: Range<UInt64>
    private var buffer: ByteBuffer?

    init(sequences: Range<UInt64> = 0..<0) {
        self.sequences = sequences
    }

    /// Slices of the batch's bytes, or for records that are older, a copy from the journal.
    mutating func bytes(of wanted: Range<UInt64>, _ log: EventLog) -> ByteBuffer {
        guard sequences.lowerBound <= wanted.lowerBound, wanted.upperBound <= sequences.upperBound,
            log.journal.firstSequence <= sequences.lowerBound
        else { return Self.makeBuffer(of: wanted, log) }
        let buffer = self.buffer ?? Self.makeBuffer(of: sequences, log)
        self.buffer = buffer
        let start = Self.offset(of: sequences.lowerBound, log)
        let range =
            Int(Self.offset(of: wanted.lowerBound, log) - start)..<Int(Self.offset(of: wanted.upperBound, log) - start)
        guard let slice = buffer.getSlice(at: range.lowerBound, length: range.count) else {
            preconditionFailure("a batch is as long as its lines")
        }
        return slice
    }

    private static func makeBuffer(of sequences: Range<UInt64>, _ log: EventLog) -> ByteBuffer {
        let length = Int(offset(of: sequences.upperBound, log) - offset(of: sequences.lowerBound, log))
        var lines: [UInt8] = []
        lines.reserveCapacity(length)
        for sequence in sequences {
            log.journal[sequence].event.write(sequence: sequence, runID: log.runID, to: &lines)
        }
        return ByteBuffer(bytes: lines)
    }

    private static func offset(of sequence: UInt64, _ log: EventLog) -> UInt64 {
        sequence == log.journal.nextSequence ? log.journal.totalBytes : log.journal[sequence].offset
    }
}
