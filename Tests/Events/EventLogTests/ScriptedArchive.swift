// SPDX-License-Identifier: Apache-2.0
@testable import EventLog

/// A stand-in for the journal on disk with delays, holes and faults that a test chooses.
struct ScriptedArchive {
    private var records: [ArchivedRecord] = []
    private var losses: [UInt64: ArchivePage.Loss] = [:]
    private var first: UInt64 = 1
    private var evicted: EventCounts? = EventCounts()
    /// The newest events that are not on disk yet.
    var lag = 0
    var isBroken = false
    private let pageRecords = 7

    mutating func appendNewest(of journal: Journal) {
        let sequence = journal.nextSequence - 1
        records.append(ArchivedRecord(sequence: sequence, pipeline: "door", event: journal.event(sequence)))
    }

    private var end: UInt64 {
        let there = records.dropLast(lag)
        return max(first, there.last.map { $0.sequence + 1 } ?? first)
    }

    var archive: Archive { Archive(first: first, end: end, evicted: evicted, isWriting: !isBroken) }

    mutating func lose(_ sequences: ClosedRange<UInt64>, isKnown: Bool = true) {
        let lost = records.filter { sequences.contains($0.sequence) }
        guard let from = lost.first?.sequence, let to = lost.last?.sequence, lost.count == Int(to - from) + 1 else {
            return
        }
        records.removeAll { sequences.contains($0.sequence) }
        var counts = EventCounts()
        for record in lost { counts[record.event.kind] += 1 }
        if isKnown { losses[from] = .init(last: to, counts: counts) }
    }

    mutating func evict(_ count: Int) {
        guard count > 0, count < records.count else { return }
        first = records[count].sequence
        records.removeFirst(count)
        evicted = nil
    }

    func page(from sequence: UInt64) -> ArchivePage {
        guard !isBroken else { return ArchivePage(sequences: sequence..<sequence) }
        let there = records.dropLast(lag).filter { $0.sequence >= sequence }.prefix(pageRecords)
        guard let last = there.last else { return ArchivePage(sequences: sequence..<sequence) }
        return ArchivePage(sequences: sequence..<(last.sequence + 1), records: Array(there), losses: losses)
    }
}
