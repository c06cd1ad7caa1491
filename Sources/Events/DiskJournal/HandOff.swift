// SPDX-License-Identifier: Apache-2.0
import EventLog

/// The events on their way from the event loop to the disk. The type is pure.
///
/// When the hand-off is full, all its events are dropped and reported to the journal as one loss.
struct HandOff: Sendable {
    /// The content of one commit. The loss precedes the records.
    struct Batch: Sendable {
        var loss: Loss?
        var records: [ArchivedRecord] = []
        /// The event counts up to the end of the batch; nil if the counts on disk plus the batch are correct.
        var counts: EventCounts?

        /// The first sequence number of the batch.
        var first: UInt64? { loss?.sequences.lowerBound ?? records.first?.sequence }

        var isEmpty: Bool { loss == nil && records.isEmpty }

        /// The whole batch as a loss, for a batch that could not be committed.
        var lost: Loss? {
            guard let first = records.first?.sequence, let last = records.last?.sequence else { return loss }
            var counts = EventCounts()
            for record in records { counts[record.event.kind] += 1 }
            let own = Loss(sequences: first...last, counts: counts)
            return loss.map { $0.joined(own) } ?? own
        }
    }

    struct Loss: Sendable, Equatable {
        var sequences: ClosedRange<UInt64>
        /// nil if unknown.
        var counts: EventCounts?

        func joined(_ later: Loss) -> Loss {
            var both = Loss(
                sequences: sequences.lowerBound...max(sequences.upperBound, later.sequences.upperBound), counts: nil)
            if var counts, let more = later.counts {
                counts += more
                both.counts = counts
            }
            return both
        }
    }

    /// The reasons for a commit.
    struct CommitTrigger: OptionSet, Sendable {
        let rawValue: UInt8
        /// A commit within `sync`.
        static let inTime = CommitTrigger(rawValue: 1)
        static let atOnce = CommitTrigger(rawValue: 2)
        /// A commit when a failed disk is tried again.
        static let retry = CommitTrigger(rawValue: 4)
    }

    private let limit: Int
    private var batch = Batch()
    private(set) var bytes = 0
    /// The number of events dropped because the disk was too slow or failed.
    private(set) var dropped: UInt64 = 0
    /// The scheduled commits, at most one for each reason. So no queue of commits grows on a slow disk.
    private var pending: CommitTrigger = []

    /// - Parameter limit: the capacity in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// - Parameter counts: the event counts up to the newest appended event.
    mutating func counted(_ counts: EventCounts) { batch.counts = counts }

    mutating func append(_ record: ArchivedRecord) {
        batch.records.append(record)
        // 64 bytes stand for the names and integers beside the body.
        bytes += record.event.body.count + 64
        if bytes > limit { drop() }
    }

    mutating func append(_ loss: Loss) {
        drop()
        lose(loss)
    }

    /// Schedules a commit for pending events.
    ///
    /// - Returns: the commit to schedule; nil if a commit is already scheduled.
    mutating func schedule(isMuch: Bool) -> CommitTrigger? {
        let trigger: CommitTrigger = isMuch ? .atOnce : .inTime
        guard pending.isDisjoint(with: [trigger, .atOnce, .retry]) else { return nil }
        pending.insert(trigger)
        return trigger
    }

    /// - Returns: whether the caller must schedule another attempt.
    mutating func scheduleRetry() -> Bool { pending.insert(.retry).inserted }

    /// - Parameter trigger: the reason of the commit that takes the batch.
    mutating func take(_ trigger: CommitTrigger = []) -> Batch {
        pending.subtract(trigger)
        defer {
            batch = Batch()
            bytes = 0
        }
        return batch
    }

    /// Records a batch that could not be committed.
    mutating func failed(_ taken: Batch) {
        guard let lost = taken.lost else { return }
        dropped += UInt64(taken.records.count)
        batch.loss = batch.loss.map { lost.joined($0) } ?? lost
        batch.counts = batch.counts ?? taken.counts
    }

    private mutating func drop() {
        dropped += UInt64(batch.records.count)
        if let lost = batch.lost { batch = Batch(loss: lost, counts: batch.counts) }
        bytes = 0
    }

    private mutating func lose(_ loss: Loss) {
        batch.loss = batch.loss.map { $0.joined(loss) } ?? loss
    }
}
