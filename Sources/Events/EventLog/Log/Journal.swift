// SPDX-License-Identifier: Apache-2.0
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
    /// `records[head...]` are stored. The space before `head` is released when it is half of the array.
    private var records: [EventRecord] = []
    private var head = 0
    /// The counts of events that have left the journal.
    package private(set) var evicted: EventCounts
    /// The sequence number of the next record.
    package private(set) var nextSequence: UInt64
    /// The number of bytes of all lines ever recorded.
    package private(set) var totalBytes: UInt64 = 0

    /// - Parameters:
    ///   - nextSequence: the sequence number of the first record.
    ///   - evicted: the event counts before that number.
    package init(limits: Limits, nextSequence: UInt64 = 1, evicted: EventCounts = EventCounts()) {
        self.limits = limits
        self.nextSequence = nextSequence
        self.evicted = evicted
    }

    package var count: Int { records.count - head }
    /// The sequence number of the oldest record; `nextSequence` if the journal is empty.
    package var firstSequence: UInt64 { nextSequence - UInt64(count) }
    package var bytes: Int { Int(totalBytes - (count > 0 ? records[head].offset : totalBytes)) }

    /// - Precondition: `firstSequence <= sequence < nextSequence`.
    package subscript(sequence: UInt64) -> EventRecord {
        records[head + Int(sequence - firstSequence)]
    }

    /// The number of bytes of all lines before the line of `sequence`, which must be stored or the next number.
    package func offset(of sequence: UInt64) -> UInt64 {
        sequence == nextSequence ? totalBytes : records[head + Int(sequence - firstSequence)].offset
    }

    /// The number of bytes of the lines from `sequence` to the newest. `sequence` must be stored or the next number.
    package func bytes(from sequence: UInt64) -> Int { Int(totalBytes - offset(of: sequence)) }

    /// Writes the lines of stored records.
    ///
    /// - Parameter place: room for all these lines: the difference of their offsets.
    /// - Returns: the number of bytes written.
    func write(linesOf sequences: Range<UInt64>, runID: String, to place: UnsafeMutableRawBufferPointer) -> Int {
        guard let start = place.assumingMemoryBound(to: UInt8.self).baseAddress else { return 0 }
        var count = 0
        for sequence in sequences {
            let event = records[head + Int(sequence - firstSequence)].event
            precondition(event.lineBytes(sequence: sequence, runID: runID) <= place.count - count, "a line has grown")
            count += event.write(sequence: sequence, runID: runID, to: start + count)
        }
        return count
    }

    /// - Parameter lineBytes: the length of the event's line.
    mutating func append(_ event: EncodedEvent, pipeline: Int?, lineBytes: Int) {
        records.append(
            EventRecord(sequence: nextSequence, pipeline: pipeline, event: event, offset: totalBytes))
        nextSequence += 1
        totalBytes += UInt64(lineBytes)
        while count > max(limits.events, 1) || (count > 1 && bytes > limits.bytes) { evictOldest() }
    }

    /// Removes all records. The next record gets the next number.
    mutating func removeAll() {
        while count > 0 { evictOldest() }
        records.removeAll()
        head = 0
    }

    private mutating func evictOldest() {
        evicted[records[head].event.kind] += 1
        // The array keeps the slot until compaction; the event's bytes are released now.
        records[head].event = EncodedEvent(kind: .update, body: [])
        head += 1
        if head * 2 > records.count {
            records.removeFirst(head)
            head = 0
        }
    }
}
