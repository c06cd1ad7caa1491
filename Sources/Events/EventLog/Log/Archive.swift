import EventLines
import Observations

/// What of the log is kept on disk, besides what is in memory.
package struct Archive: Sendable, Equatable {
    /// The oldest event there; `end` when there is none.
    package var first: UInt64
    /// The number after the newest event that is there for good.
    package var end: UInt64
    /// What there was before `first`; nil when nobody knows.
    package var evicted: EventCounts?
    /// Whether what is recorded comes there soon; false while the disk fails.
    package var isWriting: Bool

    package init(first: UInt64, end: UInt64, evicted: EventCounts?, isWriting: Bool) {
        self.first = first
        self.end = end
        self.evicted = evicted
        self.isWriting = isWriting
    }
}

/// An event as it is kept on disk, where pipelines have names.
package struct ArchivedRecord: Sendable, Equatable {
    package var sequence: UInt64
    /// nil for lines that are about no pipeline.
    package var pipeline: String?
    package var event: EncodedEvent

    package init(sequence: UInt64, pipeline: String?, event: EncodedEvent) {
        self.sequence = sequence
        self.pipeline = pipeline
        self.event = event
    }
}

/// A stretch of the log, from disk. Numbers of it that no record has are not there.
package struct ArchivePage: Sendable, Equatable {
    package var sequences: Range<UInt64>
    /// Ascending.
    package var records: [ArchivedRecord]
    /// What is known of numbers that are missing, by the first one: the last one, and what was lost.
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

/// Reads stretches of the log from disk, off the event loop.
package protocol ArchiveReader: Sendable {
    /// - Parameters:
    ///   - bytes: about how many; a page has at least one record, if there is one.
    ///   - done: called once, on any thread. A page that is empty says that nothing can be read from there.
    func read(from sequence: UInt64, bytes: Int, _ done: @escaping @Sendable (ArchivePage) -> Void)
}

/// Who has an event.
enum Holder {
    case memory
    case disk
    /// Nobody has it, nor any other before this one; and what there was before that, if it is known.
    case nobody(before: UInt64, counts: EventCounts?)
}

extension EventLog {
    /// The oldest event that a reader can get.
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

    /// What there was before `sequence`, which is in memory or the next.
    package func counts(upTo sequence: UInt64) -> EventCounts {
        if sequence == journal.nextSequence { return counts }
        var counts = journal.evicted
        for sequence in journal.firstSequence..<sequence { counts[journal[sequence].event.kind] += 1 }
        return counts
    }
}
