// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// The part of the log stored on disk, in addition to the memory journal.
package struct Archive: Sendable, Equatable {
    /// The oldest event on disk; `end` if the disk has none.
    package var first: UInt64
    /// The sequence number after the newest committed event.
    package var end: UInt64
    /// The event counts before `first`; nil if unknown.
    package var evicted: EventCounts?
    /// Whether new events will be stored soon; false while the disk fails.
    package var isWriting: Bool
    /// The number after the newest event that was deliberately removed; 0 if there is no such event.
    package var forgotten: UInt64

    package init(first: UInt64, end: UInt64, evicted: EventCounts?, isWriting: Bool, forgotten: UInt64 = 0) {
        self.first = first
        self.end = end
        self.evicted = evicted
        self.isWriting = isWriting
        self.forgotten = forgotten
    }
}

/// An event as stored on disk, where a pipeline is identified by its name.
package struct ArchivedRecord: Sendable, Equatable {
    package var sequence: UInt64
    /// nil for lines about no pipeline.
    package var pipeline: String?
    package var event: EncodedEvent

    package init(sequence: UInt64, pipeline: String?, event: EncodedEvent) {
        self.sequence = sequence
        self.pipeline = pipeline
        self.event = event
    }
}

/// A stretch of the log from disk. A sequence number without a record is missing on disk.
package struct ArchivePage: Sendable, Equatable {
    package var sequences: Range<UInt64>
    /// In ascending order.
    package var records: [ArchivedRecord]
    /// The known losses, by the first missing sequence number: the last missing number, and the counts of lost events.
    package var losses: [UInt64: Loss]

    package struct Loss: Sendable, Equatable {
        package var last: UInt64
        package var counts: EventCounts

        package init(last: UInt64, counts: EventCounts) {
            self.last = last
            self.counts = counts
        }
    }

    package init(sequences: Range<UInt64>, records: [ArchivedRecord] = [], losses: [UInt64: Loss] = [:]) {
        self.sequences = sequences
        self.records = records
        self.losses = losses
    }
}

/// Reads stretches of the log from disk, outside the event loop.
package protocol ArchiveReader: Sendable {
    /// - Parameters:
    ///   - bytes: the approximate size of the page; a page has at least one record if one exists.
    ///   - done: called once, on any thread. An empty page means that nothing can be read from this number on.
    func read(from sequence: UInt64, bytes: Int, _ done: @escaping @Sendable (ArchivePage) -> Void)
}

/// The place that has an event.
enum Holder {
    case memory
    case disk
    /// Neither memory nor disk has the event, nor any other event before `before`. `counts` are the event counts before
    /// that number, if known.
    case nobody(before: UInt64, counts: EventCounts?)
}

extension EventLog {
    /// The oldest event that a subscriber can receive.
    var firstSequence: UInt64 {
        guard let archive, archive.first < archive.end else { return journal.firstSequence }
        return min(archive.first, journal.firstSequence)
    }

    func holder(of sequence: UInt64) -> Holder {
        let inMemory = Holder.nobody(before: journal.firstSequence, counts: journal.evicted)
        if sequence >= journal.firstSequence { return .memory }
        guard let archive else { return inMemory }
        if sequence < archive.first {
            let isAnyThere = archive.first < archive.end || archive.isWriting
            return isAnyThere && archive.first < journal.firstSequence
                ? .nobody(before: archive.first, counts: archive.evicted) : inMemory
        }
        return sequence < archive.end || archive.isWriting ? .disk : inMemory
    }

    /// The event counts before `sequence`, which must be in memory or the next number.
    package func counts(upTo sequence: UInt64) -> EventCounts {
        if sequence == journal.nextSequence { return counts }
        var counts = journal.evicted
        for sequence in journal.firstSequence..<sequence { counts[journal[sequence].header.kind] += 1 }
        return counts
    }
}
