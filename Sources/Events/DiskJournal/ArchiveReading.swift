import EventLog
import Foundation
import GRDB

extension EventCounts {
    fileprivate init(updates: UInt64) {
        self.init()
        self[.update] = updates
    }
}

/// Reads stretches of the log from the database.
enum ArchiveReading {
    /// Reads about `bytes` bytes from `sequence` on; an empty page if nothing is stored there. Damaged blocks count as
    /// missing.
    static func page(_ db: Database, from sequence: UInt64, bytes: Int) throws -> ArchivePage {
        let start = try Int64.fetchOne(
            db, sql: "SELECT max(first) FROM blocks WHERE first <= ?", arguments: [Int64(sequence)])
        let blocks = try Row.fetchCursor(
            db, sql: "SELECT last, bytes FROM blocks WHERE first >= ? ORDER BY first",
            arguments: [start ?? Int64(sequence)])
        var page = ArchivePage(sequences: sequence..<sequence)
        var taken = 0
        var end = sequence
        while taken < bytes, let row = try blocks.next() {
            let last: Int64 = row[0]
            guard UInt64(last) >= sequence else { continue }
            let content: Data = row[1]
            let records = RecordBlock.decode(Array(content)[...]) ?? []
            page.records += records.filter { $0.sequence >= sequence }
            taken += content.count
            end = UInt64(last) + 1
        }
        let holes = try Row.fetchCursor(
            db, sql: "SELECT first, last, counts FROM holes WHERE last >= ? ORDER BY first",
            arguments: [Int64(sequence)])
        var losses: [HandOff.Loss] = []
        while let row = try holes.next() {
            let (first, last) = (UInt64(row[0] as Int64), UInt64(row[1] as Int64))
            // A hole beyond the bytes read belongs to the next page.
            guard first <= end else { break }
            end = max(end, last + 1)
            let counts = (row[2] as Data?).flatMap(EventCounts.init(data:))
            let loss = HandOff.Loss(
                sequences: max(first, sequence)...last, counts: rest(of: counts, from: first, sequence, last))
            // Two adjacent holes are joined: one from a killed daemon, and one from its successor before the first
            // commit.
            if let before = losses.last, before.sequences.upperBound + 1 == first {
                losses[losses.count - 1] = before.joined(loss)
            } else {
                losses.append(loss)
            }
        }
        for loss in losses {
            guard let counts = loss.counts else { continue }
            page.losses[loss.sequences.lowerBound] = .init(last: loss.sequences.upperBound, counts: counts)
        }
        page.sequences = sequence..<end
        return page
    }

    /// The lost events of a hole from `sequence` on. The counts are known if all lost events are updates, as after a
    /// kill.
    private static func rest(
        of counts: EventCounts?, from first: UInt64, _ sequence: UInt64, _ last: UInt64
    ) -> EventCounts? {
        guard let counts, first < sequence else { return counts }
        return counts[.update] == counts.total ? EventCounts(updates: last + 1 - sequence) : nil
    }
}
