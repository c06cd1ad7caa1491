// SPDX-License-Identifier: Apache-2.0
/// The newest records of the log as one batch. A subscriber that keeps up and filters nothing receives the batch in one
/// step.
package struct FreshBatch {
    package let sequences: Range<UInt64>
    let bytes: Int
    /// The event counts up to the end of the batch. All subscribers share one object, because the counts are larger
    /// than all other state written per subscriber.
    let counts: SharedCounts

    /// - Parameter sequences: a range that ends with the newest record of `log`.
    /// - Returns: nil if the range is empty, is larger than one socket write, or is no longer complete in the journal.
    package init?(_ sequences: Range<UInt64>, _ log: borrowing EventLog) {
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
    /// Fast path: takes a whole batch if `nextWrites` would send exactly that batch. The method does not look at the
    /// log, because it runs for every subscriber and every batch.
    ///
    /// - Returns: whether the caller must send the whole batch now. If false, nothing has changed.
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
