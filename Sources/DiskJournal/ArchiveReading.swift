import Events
import Foundation
import GRDB

extension EventCounts {
    fileprivate init(updates: UInt64) {
        self.init()
        self[.update] = updates
    }
}

/// Stretches of the log out of the database.
enum ArchiveReading {
    /// About so many bytes from `sequence` on; an empty page when there is nothing. Blocks that are damaged are as good as missing.
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
        while let row = try holes.next() {
            let (first, last): (Int64, Int64) = (row[0], row[1])
            // One that begins beyond what was read is the next page's.
            guard UInt64(first) <= end else { break }
            end = max(end, UInt64(last) + 1)
            let counts: Data? = row[2]
            guard let counts = counts.flatMap(EventCounts.init(data:)) else { continue }
            if UInt64(first) >= sequence {
                page.losses[UInt64(first)] = .init(last: UInt64(last), counts: counts)
            } else if counts[.update] == counts.total {
                // The reader has the beginning of it.
                let rest = EventCounts(updates: UInt64(last) + 1 - sequence)
                page.losses[sequence] = .init(last: UInt64(last), counts: rest)
            }
        }
        page.sequences = sequence..<end
        return page
    }
}
