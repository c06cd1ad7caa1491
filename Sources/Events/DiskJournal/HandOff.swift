import EventLog

/// Events on their way from the event loop to the disk. Pure.
///
/// When it is full, everything in it is dropped, and what was dropped is told to the journal as one loss.
struct HandOff: Sendable {
    /// What one commit takes: the loss comes before the records.
    struct Batch: Sendable {
        var loss: Loss?
        var records: [ArchivedRecord] = []
        /// What there is before and with it; nil: what there was, and it.
        var counts: EventCounts?

        /// Its first number.
        var first: UInt64? { loss?.sequences.lowerBound ?? records.first?.sequence }

        var isEmpty: Bool { loss == nil && records.isEmpty }

        /// It cannot be kept: all of it is a loss.
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
        /// nil when nobody knows.
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

    /// Why a commit comes.
    struct CommitTrigger: OptionSet, Sendable {
        let rawValue: UInt8
        /// Comes within `sync`.
        static let inTime = CommitTrigger(rawValue: 1)
        static let atOnce = CommitTrigger(rawValue: 2)
        /// Comes when a disk that failed is tried again.
        static let retry = CommitTrigger(rawValue: 4)
    }

    private let limit: Int
    private var batch = Batch()
    private(set) var bytes = 0
    /// Events that were dropped because the disk was too slow, or failed.
    private(set) var dropped: UInt64 = 0
    /// Commits that are scheduled, each once: a disk that is slower than the events has no queue of them.
    private var pending: CommitTrigger = []

    /// - Parameter limit: bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// - Parameter counts: what there is before and with everything that was appended.
    mutating func counted(_ counts: EventCounts) { batch.counts = counts }

    mutating func append(_ record: ArchivedRecord) {
        batch.records.append(record)
        // Names and integers beside the body.
        bytes += record.event.body.count + 64
        if bytes > limit { drop() }
    }

    mutating func append(_ loss: Loss) {
        drop()
        lose(loss)
    }

    /// There is something to take.
    ///
    /// - Returns: the commit to schedule; nil: one is scheduled.
    mutating func schedule(isMuch: Bool) -> CommitTrigger? {
        let trigger: CommitTrigger = isMuch ? .atOnce : .inTime
        guard pending.isDisjoint(with: [trigger, .atOnce, .retry]) else { return nil }
        pending.insert(trigger)
        return trigger
    }

    /// - Returns: whether another try is to be scheduled.
    mutating func scheduleRetry() -> Bool { pending.insert(.retry).inserted }

    /// - Parameter trigger: of the commit that takes it.
    mutating func take(_ trigger: CommitTrigger = []) -> Batch {
        pending.subtract(trigger)
        defer {
            batch = Batch()
            bytes = 0
        }
        return batch
    }

    /// A batch that was taken could not be kept.
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
