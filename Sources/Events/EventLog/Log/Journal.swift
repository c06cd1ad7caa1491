import EventLines

/// The newest events, bounded in number and in bytes: what a reader that was slow or away reads again.
package struct Journal: Sendable {
    package struct Limits: Sendable, Equatable {
        package var events: Int
        package var bytes: Int

        package init(events: Int, bytes: Int) {
            self.events = events
            self.bytes = bytes
        }
    }

    private let limits: Limits
    /// `records[head...]` are kept; the room before it is given back when it is half of the array.
    private var records: [EventRecord] = []
    private var head = 0
    /// Counts of what has left the journal.
    package private(set) var evicted: EventCounts
    /// Sequence number that the next record will have.
    package private(set) var nextSequence: UInt64
    /// Bytes of all lines there ever were.
    package private(set) var totalBytes: UInt64 = 0

    /// - Parameters:
    ///   - nextSequence: the first record's.
    ///   - evicted: what there was before that.
    package init(limits: Limits, nextSequence: UInt64 = 1, evicted: EventCounts = EventCounts()) {
        self.limits = limits
        self.nextSequence = nextSequence
        self.evicted = evicted
    }

    package var count: Int { records.count - head }
    /// The oldest one kept; `nextSequence` when there is none.
    package var firstSequence: UInt64 { nextSequence - UInt64(count) }
    package var bytes: Int { Int(totalBytes - (count > 0 ? records[head].offset : totalBytes)) }

    /// - Precondition: `firstSequence <= sequence < nextSequence`.
    package subscript(sequence: UInt64) -> EventRecord {
        records[head + Int(sequence - firstSequence)]
    }

    /// Bytes of all lines before that of `sequence`, which is kept or next.
    package func offset(of sequence: UInt64) -> UInt64 {
        sequence == nextSequence ? totalBytes : records[head + Int(sequence - firstSequence)].offset
    }

    /// Bytes of the lines from `sequence`, which is kept or next, to the newest.
    package func bytes(from sequence: UInt64) -> Int { Int(totalBytes - offset(of: sequence)) }

    /// - Precondition: they are kept.
    func lines(of sequences: Range<UInt64>, runID: String) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(Int(offset(of: sequences.upperBound) - offset(of: sequences.lowerBound)))
        for sequence in sequences {
            records[head + Int(sequence - firstSequence)].event.write(sequence: sequence, runID: runID, to: &lines)
        }
        return lines
    }

    /// - Parameter lineBytes: length of the event's line.
    mutating func append(_ event: EncodedEvent, pipeline: Int?, lineBytes: Int) {
        records.append(
            EventRecord(sequence: nextSequence, pipeline: pipeline, event: event, offset: totalBytes))
        nextSequence += 1
        totalBytes += UInt64(lineBytes)
        while count > max(limits.events, 1) || (count > 1 && bytes > limits.bytes) { evictOldest() }
    }

    private mutating func evictOldest() {
        evicted[records[head].event.kind] += 1
        // The room stays until it is half of the array: its bytes go now.
        records[head].event = EncodedEvent(kind: .update, body: [])
        head += 1
        if head * 2 > records.count {
            records.removeFirst(head)
            head = 0
        }
    }
}
