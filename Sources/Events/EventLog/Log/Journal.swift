// SPDX-License-Identifier: Apache-2.0
import DequeModule
import EventLines

/// The newest events in memory, bounded in number and in bytes. A slow or returning subscriber reads missed events
/// here.
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
    private let head: LineHead
    private var records = Deque<EventRecord>()
    private var lines = LineRing()
    /// The counts of events that have left the journal.
    package private(set) var evicted: EventCounts
    /// The sequence number of the next record.
    package private(set) var nextSequence: UInt64

    /// - Parameters:
    ///   - nextSequence: the sequence number of the first record.
    ///   - evicted: the event counts before that number.
    package init(runID: String, limits: Limits, nextSequence: UInt64 = 1, evicted: EventCounts = EventCounts()) {
        self.limits = limits
        head = LineHead(runID: runID)
        self.nextSequence = nextSequence
        self.evicted = evicted
    }

    package var count: Int { records.count }
    /// The sequence number of the oldest record; `nextSequence` if the journal is empty.
    package var firstSequence: UInt64 { nextSequence - UInt64(count) }
    package var bytes: Int { lines.count }

    /// - Precondition: `firstSequence <= sequence < nextSequence`.
    package subscript(sequence: UInt64) -> EventRecord { records[index(of: sequence)] }

    /// The event of a stored record.
    package func event(_ sequence: UInt64) -> EncodedEvent {
        let record = self[sequence]
        let start = record.offset + UInt64(head.bytes(sequence: sequence))
        return EncodedEvent(
            header: record.header, body: lines.bytes(ofLinePart: start..<(offset(of: sequence + 1) - 1)))
    }

    /// The line of a stored record, including the newline.
    package func line(_ sequence: UInt64) -> [UInt8] {
        lines.bytes(ofLinePart: offset(of: sequence)..<offset(of: sequence + 1))
    }

    /// Calls `body` with the lines of stored records, with newlines, in one or two pieces. The second may be empty.
    package func withLines<Result>(
        of sequences: Range<UInt64>,
        _ body: (_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Result
    ) -> Result {
        lines.withBytes(offset(of: sequences.lowerBound)..<offset(of: sequences.upperBound), body)
    }

    /// The number of bytes of all lines before the line of `sequence`, which must be stored or the next number.
    package func offset(of sequence: UInt64) -> UInt64 {
        sequence == nextSequence ? lines.end : records[index(of: sequence)].offset
    }

    /// The number of bytes of the lines from `sequence` to the newest. `sequence` must be stored or the next number.
    package func bytes(from sequence: UInt64) -> Int { Int(lines.end - offset(of: sequence)) }

    private func index(of sequence: UInt64) -> Int { Int(sequence - firstSequence) }

    mutating func append(_ event: EncodedEvent, pipeline: Int?) {
        let sequence = nextSequence
        let bytes = head.lineBytes(of: event, sequence: sequence)
        while count > 0, count >= limits.events || lines.count + bytes > limits.bytes { evictOldest() }
        records.append(
            EventRecord(sequence: sequence, pipeline: pipeline, header: event.header, offset: lines.end))
        nextSequence += 1
        lines.append(count: bytes, limit: limits.bytes) { start in
            let written = head.write(lineOf: event, sequence: sequence, to: start)
            assert(written == bytes)
        }
    }

    /// Removes all records. The next record gets the next number.
    mutating func removeAll() {
        while count > 0 { evictOldest() }
        records = []
        lines.removeAll()
    }

    private mutating func evictOldest() {
        evicted[records.removeFirst().header.kind] += 1
        lines.removeLines(before: records.first?.offset ?? lines.end)
    }
}
