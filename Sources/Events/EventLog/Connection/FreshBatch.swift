/// Records that are the newest of the log, as a subscriber takes them that keeps up and filters nothing: all of them, in one step.
package struct FreshBatch {
    package let sequences: Range<UInt64>
    let bytes: Int
    /// What there was up to its end: one for all, as it is longer than everything else that is written for a subscriber.
    let counts: SharedCounts

    /// - Parameter sequences: up to the newest one of `log`.
    /// - Returns: nil when there are none, or more than goes to a socket at once, or when the journal does not hold all of them any more.
    package init?(_ sequences: Range<UInt64>, _ log: EventLog) {
        guard !sequences.isEmpty, log.journal.firstSequence <= sequences.lowerBound else { return nil }
        let bytes = log.journal.bytes(from: sequences.lowerBound)
        guard bytes <= Subscriber.windowBytes else { return nil }
        self.sequences = sequences
        self.bytes = bytes
        counts = SharedCounts(log.counts)
    }
}

final class SharedCounts: Sendable {
    let value: EventCounts

    init(_ value: EventCounts) { self.value = value }
}

extension Subscriber {
    /// Takes a batch whole, if that is what `nextWrites` would tell to send: without looking at the log, as this is done for every
    /// subscriber and every batch.
    ///
    /// - Returns: whether all of the batch is to be sent now. If not, nothing has changed.
    package mutating func takeWhole(_ batch: FreshBatch, at instant: ContinuousClock.Instant) -> Bool {
        guard cursor == batch.sequences.lowerBound, isLive, !isFetching, filtersNothing,
            batch.bytes <= limits.queue || cursor < replayEnd
        else { return false }
        cursor = batch.sequences.upperBound
        shared = batch.counts
        lastSent = instant
        return true
    }
}
