import EventLog
import Foundation
import GRDB

/// Deletes the oldest data that exceed the limits.
enum JournalRetention {
    /// Deletes within a transaction.
    ///
    /// - Parameter evicted: the counts of deleted events, which this call increases.
    /// - Returns: the pictures of the deleted tracks and searches, which the caller must delete.
    static func apply(
        _ limits: JournalLimits, at time: Int64, evicted: inout EventCounts?, _ db: Database
    ) throws -> [String] {
        try delete("time < ?", [time - limits.eventAge], evicted: &evicted, db)
        var gone = try deleteHistory(
            "id IN (SELECT id FROM history ORDER BY id LIMIT 1000) AND recorded < ?", [time - limits.trackAge], db)
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
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [String?] {
        try Optional<String>.fetchAll(
            db, sql: "DELETE FROM history WHERE \(condition) RETURNING picture", arguments: arguments)
    }

    /// The oldest event; nil if the database has none.
    static func first(_ db: Database) throws -> UInt64? {
        try Int64.fetchOne(db, sql: "SELECT min(first) FROM blocks").map(UInt64.init)
    }

    /// The size in bytes of the pages in use.
    static func bytes(_ db: Database) throws -> Int {
        func pragma(_ name: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
        return try (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
    }

    /// - Returns: false if nothing is left to delete.
    private static func deleteBlocks(freeing excess: Int, evicted: inout EventCounts?, _ db: Database) throws -> Bool {
        var freed = 0
        var last: Int64?
        let rows = try Row.fetchCursor(db, sql: "SELECT first, length(bytes) FROM blocks ORDER BY first")
        while freed < excess, let row = try rows.next() {
            last = row[0]
            freed += row[1]
        }
        guard let last else { return false }
        return try delete("first <= ?", [last], evicted: &evicted, db)
    }

    @discardableResult
    private static func delete(
        _ condition: String, _ arguments: StatementArguments, evicted: inout EventCounts?, _ db: Database
    ) throws -> Bool {
        let gone = try Optional<Data>.fetchAll(
            db, sql: "DELETE FROM blocks WHERE \(condition) RETURNING counts", arguments: arguments)
        guard !gone.isEmpty else { return false }
        // Missing numbers before the first block are no longer part of the journal.
        let holes = try Optional<Data>.fetchAll(
            db, sql: "DELETE FROM holes WHERE last < (SELECT min(first) FROM blocks) RETURNING counts")
        for data in gone + holes {
            guard let counts = data.flatMap(EventCounts.init(data:)), let before = evicted else {
                evicted = nil
                return true
            }
            evicted = before + counts
        }
        return true
    }
}
