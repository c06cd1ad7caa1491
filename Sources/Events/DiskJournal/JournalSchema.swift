// SPDX-License-Identifier: Apache-2.0
import SQLite

/// The tables of the database.
enum JournalSchema {
    private static let version = 2

    /// Creates the tables, or upgrades a database of version 1, whose history contains only tracks.
    ///
    /// - Throws: `DatabaseError`, also for a file of another program; `NewerJournal`.
    static func prepare(_ db: Database) throws {
        try prepareVersion(db)
        // A version without this table ignores the table.
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS forgotten (id INTEGER PRIMARY KEY CHECK (id = 1), before INTEGER NOT NULL)
            """)
        try ZoneStays.prepare(db)
    }

    private static func prepareVersion(_ db: Database) throws {
        let found = try db.first("PRAGMA user_version")?[0].integer ?? 0
        if found == version { return }
        if found == 1 { return try db.transaction { try upgrade(db) } }
        if found > version { throw NewerJournal(version: Int(found), known: version) }
        let tables = try db.first("SELECT count(*) FROM sqlite_master")?[0].integer ?? 0
        guard found == 0, tables == 0 else {
            throw DatabaseError.foreign("the file is not a journal of this version")
        }
        try db.transaction {
            try db.execute(
                """
                CREATE TABLE run (
                    id INTEGER PRIMARY KEY CHECK (id = 1), run_id TEXT NOT NULL, next INTEGER NOT NULL,
                    lease INTEGER NOT NULL, counts BLOB NOT NULL, evicted BLOB, live BLOB NOT NULL);
                CREATE TABLE blocks (
                    first INTEGER PRIMARY KEY, last INTEGER NOT NULL, time INTEGER NOT NULL, counts BLOB NOT NULL,
                    bytes BLOB NOT NULL);
                CREATE TABLE holes (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, counts BLOB);
                CREATE TABLE history (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, seq INTEGER NOT NULL,
                    recorded INTEGER NOT NULL, pipeline TEXT NOT NULL, detector TEXT NOT NULL, kind TEXT NOT NULL, track TEXT NOT NULL,
                    first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL, duration_ms INTEGER NOT NULL,
                    frames INTEGER NOT NULL, reason TEXT NOT NULL, value TEXT, last TEXT, best TEXT,
                    search TEXT, answer TEXT, picture TEXT);
                CREATE INDEX history_by_time ON history (last_seen);
                PRAGMA user_version = \(version)
                """)
        }
    }

    private static func upgrade(_ db: Database) throws {
        try db.execute(
            """
            DROP INDEX tracks_by_time;
            ALTER TABLE tracks RENAME TO history;
            ALTER TABLE history ADD COLUMN search TEXT;
            ALTER TABLE history ADD COLUMN answer TEXT;
            ALTER TABLE history ADD COLUMN picture TEXT;
            UPDATE history SET picture = json_extract(best, '$.snapshot') WHERE json_valid(best);
            CREATE INDEX history_by_time ON history (last_seen);
            PRAGMA user_version = \(version)
            """)
    }
}
