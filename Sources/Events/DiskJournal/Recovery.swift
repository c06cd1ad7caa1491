import EventLog

/// What a daemon has to bring into the database of one before it, out of what that left. Pure.
struct Recovery: Sendable {
    /// What the database gets, in order.
    private(set) var batches: [HandOff.Batch] = []
    /// Above every number that was ever given.
    let next: UInt64
    /// Numbers whose events nobody has.
    let lost: UInt64

    /// - Parameters:
    ///   - end: the number after the database's newest event.
    ///   - counts: what there is before it.
    ///   - lease: numbers from here on were not given before this boot of the machine, if nobody knows better.
    ///   - remains: what the run's process noted, if it is there.
    ///   - bootID: this boot's.
    init(end: UInt64, counts: EventCounts, lease: UInt64, remains: SequenceTail.Remains?, bootID: String) {
        guard let remains else {
            next = max(end, lease)
            lost = next - end
            if lost > 0 { batches = [.init(loss: .init(sequences: end...(next - 1), counts: nil))] }
            return
        }
        // After a power cut the note may be an old one.
        let isCurrent = remains.bootID == bootID
        let next = max(end, remains.nextSequence, isCurrent ? 0 : lease)
        self.next = next
        let records = remains.records.filter { $0.sequence >= end && $0.sequence < next }
        let unknown = next - end - UInt64(records.count)
        lost = unknown
        var told = counts
        for record in records { told[record.event.kind] += 1 }
        let missing = remains.counts.since(told)
        let isKnown = isCurrent && next == remains.nextSequence && missing.total == unknown
        batches = Self.batches(from: end, to: next, records) { count in
            guard isKnown else { return nil }
            if count == missing.total { return missing }
            guard missing[.update] == missing.total else { return nil }
            var updates = EventCounts()
            updates[.update] = count
            return updates
        }
    }

    /// Whether the daemon was killed, or the machine stopped.
    var isUnclean: Bool { !batches.isEmpty }

    private static func batches(
        from end: UInt64, to next: UInt64, _ records: [ArchivedRecord], counts: (UInt64) -> EventCounts?
    ) -> [HandOff.Batch] {
        var batches: [HandOff.Batch] = []
        var current = HandOff.Batch()
        var expected = end
        for record in records {
            if record.sequence > expected {
                if !current.isEmpty { batches.append(current) }
                current = .init(
                    loss: .init(
                        sequences: expected...(record.sequence - 1), counts: counts(record.sequence - expected)))
            }
            current.records.append(record)
            expected = record.sequence + 1
        }
        if !current.isEmpty { batches.append(current) }
        if expected < next {
            batches.append(.init(loss: .init(sequences: expected...(next - 1), counts: counts(next - expected))))
        }
        return batches
    }
}
