// SPDX-License-Identifier: Apache-2.0
import EventLog
import SQLite

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
        let start = try db.first("SELECT max(first) FROM blocks WHERE first <= ?", [DatabaseValue(bits: sequence)])
        let blocks = try db.rows(
            "SELECT last, bytes FROM blocks WHERE first >= ? ORDER BY first",
            [DatabaseValue(bits: start?[0].bits ?? sequence)])
        var page = ArchivePage(sequences: sequence..<sequence)
        var taken = 0
        var end = sequence
        while taken < bytes, let row = try blocks.next() {
            guard let last = row[0].bits, last >= sequence, let content = row[1].blob else { continue }
            let records = RecordBlock.decode(content[...]) ?? []
            page.records += records.filter { $0.sequence >= sequence }
            taken += content.count
            end = last + 1
        }
        let holes = try db.rows(
            "SELECT first, last, counts FROM holes WHERE last >= ? ORDER BY first", [DatabaseValue(bits: sequence)])
        var losses: [HandOff.Loss] = []
        while let row = try holes.next() {
            // A hole beyond the bytes read belongs to the next page.
            guard let first = row[0].bits, let last = row[1].bits, first <= end else { break }
            end = max(end, last + 1)
            let counts = row[2].blob.flatMap(EventCounts.init(bytes:))
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
