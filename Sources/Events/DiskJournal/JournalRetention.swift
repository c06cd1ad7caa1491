// SPDX-License-Identifier: Apache-2.0
import EventLog
import SQLite

/// Deletes the oldest data that exceed the limits.
enum JournalRetention {
    /// Deletes within a transaction.
    ///
    /// - Parameter evicted: the counts of deleted events, which this call increases.
    /// - Returns: the pictures of the deleted tracks and searches, which the caller must delete.
    static func apply(
        _ limits: JournalLimits, at time: Int64, evicted: inout EventCounts?, _ db: Database
    ) throws -> [String] {
        try delete("time < ?", [.integer(time - limits.eventAge)], evicted: &evicted, db)
        var gone = try deleteHistory(
            "id IN (SELECT id FROM history ORDER BY id LIMIT 1000) AND recorded < ?",
            [.integer(time - limits.trackAge)], db)
        try ZoneStays.deleteOld(before: time - limits.trackAge, db)
        while try bytes(db) > limits.databaseBytes {
            let excess = try bytes(db) - limits.databaseBytes
            if try deleteBlocks(freeing: excess, evicted: &evicted, db) { continue }
            let older = try deleteHistory("id <= (SELECT min(id) FROM history) + 999", [], db)
            gone += older
            guard !older.isEmpty else { break }
        }
        return gone.compactMap(\.self)
    }

    /// - Returns: the picture of each deleted entry.
    private static func deleteHistory(
        _ condition: String, _ arguments: [DatabaseValue], _ db: Database
    ) throws -> [String?] {
        try db.all("DELETE FROM history WHERE \(condition) RETURNING picture", arguments).map { $0[0].text }
    }

    /// The oldest event; nil if the database has none.
    static func first(_ db: Database) throws -> UInt64? {
        try db.first("SELECT min(first) FROM blocks")?[0].bits
    }

    /// The time at which the oldest event was stored, in seconds since the Unix epoch; nil without events.
    static func oldest(_ db: Database) throws -> Int64? {
        try db.first("SELECT time FROM blocks ORDER BY first LIMIT 1")?[0].integer
    }

    /// The size in bytes of the pages in use.
    static func bytes(_ db: Database) throws -> Int {
        func pragma(_ name: String) throws -> Int { try Int(db.first("PRAGMA \(name)")?[0].integer ?? 0) }
        return try (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
    }

    /// - Returns: false if nothing is left to delete.
    private static func deleteBlocks(freeing excess: Int, evicted: inout EventCounts?, _ db: Database) throws -> Bool {
        var freed = 0
        var last: DatabaseValue?
        let rows = try db.rows("SELECT first, length(bytes) FROM blocks ORDER BY first")
        while freed < excess, let row = try rows.next() {
            last = row[0]
            freed += Int(row[1].integer ?? 0)
        }
        guard let last else { return false }
        return try delete("first <= ?", [last], evicted: &evicted, db)
    }

    @discardableResult
    private static func delete(
        _ condition: String, _ arguments: [DatabaseValue], evicted: inout EventCounts?, _ db: Database
    ) throws -> Bool {
        let gone = try db.all("DELETE FROM blocks WHERE \(condition) RETURNING counts", arguments)
        guard !gone.isEmpty else { return false }
        // Missing numbers before the first block are no longer part of the journal.
        let holes = try db.all("DELETE FROM holes WHERE last < (SELECT min(first) FROM blocks) RETURNING counts")
        for row in gone + holes {
            guard let counts = row[0].blob.flatMap(EventCounts.init(bytes:)), let before = evicted else {
                evicted = nil
                return true
            }
            evicted = before + counts
        }
        return true
    }
}
