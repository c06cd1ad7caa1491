// SPDX-License-Identifier: Apache-2.0
import EventLog

/// Computes the records that a daemon must add to the database of its predecessor, from the predecessor's files. The
/// type is pure.
struct Recovery: Sendable {
    /// The batches for the database, in order.
    private(set) var batches: [HandOff.Batch] = []
    /// Greater than every sequence number ever used.
    let next: UInt64
    /// The number of events that are lost.
    let lost: UInt64

    /// - Parameters:
    ///   - end: the number after the database's newest event.
    ///   - counts: the event counts before `end`.
    ///   - lease: the first number that was certainly unused before this boot of the machine, without further evidence.
    ///   - remains: the contents of the predecessor's sequence file, if it exists.
    ///   - bootID: the id of this boot.
    init(end: UInt64, counts: EventCounts, lease: UInt64, remains: SequenceTail.Remains?, bootID: String) {
        guard let remains else {
            next = max(end, lease)
            lost = next - end
            if lost > 0 { batches = [.init(loss: .init(sequences: end...(next - 1), counts: nil))] }
            return
        }
        // After a power cut the sequence file may be out of date.
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

    /// Whether the daemon was killed or the machine stopped.
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
