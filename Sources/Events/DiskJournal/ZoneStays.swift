// SPDX-License-Identifier: Apache-2.0
import EventLines
import JSONLines
import SQLite

/// The zones in which each track was, and for how long. The table holds one row for each track and zone, so it does not
/// grow with the number of stays.
enum ZoneStays {
    /// A version without this table ignores it. Rows leave with their track's entry in the history.
    static func prepare(_ db: Database) throws {
        try db.execute(
            """
            CREATE TABLE IF NOT EXISTS stays (
                run_id TEXT NOT NULL, pipeline TEXT NOT NULL, detector TEXT NOT NULL, track TEXT NOT NULL,
                zone TEXT NOT NULL, recorded INTEGER NOT NULL, visits INTEGER NOT NULL, dwell_ms INTEGER NOT NULL,
                PRIMARY KEY (run_id, pipeline, detector, track, zone)) WITHOUT ROWID;
            CREATE TRIGGER IF NOT EXISTS stays_end AFTER DELETE ON history WHEN old.search IS NULL BEGIN
                DELETE FROM stays WHERE run_id = old.run_id AND pipeline = old.pipeline AND detector = old.detector
                    AND track = old.track;
            END
            """)
    }

    /// Adds the stay that a `zone` line ends. Takes any line.
    static func take(_ event: EncodedEvent, _ runID: String, at time: Int64, _ db: Database) throws {
        guard event.kind == .zone, let line = JSONMembers(event.body[...]),
            line.text(.state) == ZoneEvent.State.left.rawValue, let pipeline = line.string(.pipeline),
            let zone = line.string(.zone)
        else { return }
        try db.run(
            """
            INSERT INTO stays (run_id, pipeline, detector, track, zone, recorded, visits, dwell_ms)
            VALUES (?, ?, ?, ?, ?, ?, 1, ?)
            ON CONFLICT DO UPDATE SET
                recorded = excluded.recorded, visits = visits + 1, dwell_ms = dwell_ms + excluded.dwell_ms
            """,
            [
                .text(runID), .text(pipeline), .text(event.detector), .text(String(event.track)), .text(zone),
                .integer(time), .integer(line.integer(.dwell) ?? 0),
            ])
    }

    /// Deletes the stays of tracks that never completed.
    static func deleteOld(before time: Int64, _ db: Database) throws {
        try db.run("DELETE FROM stays WHERE recorded < ?", [.integer(time)])
    }

    /// Whether the database has the table. A database that only an older version has opened has none.
    static func exist(_ db: Database) throws -> Bool {
        try db.first("SELECT 1 FROM sqlite_master WHERE name = 'stays'") != nil
    }

    /// The condition on a row of `history` for a track that was in a zone, by a pattern.
    static let condition = "EXISTS (SELECT 1 FROM stays WHERE \(join) AND zone GLOB ?)"

    /// The stays of a row of `history` as JSON.
    static let column = """
        (SELECT json_group_array(json_object('zone', zone, 'visits', visits, 'dwell_ms', dwell_ms)) FROM stays
            WHERE \(join) AND history.search IS NULL) AS zones
        """

    private static let join = """
        stays.run_id = history.run_id AND stays.pipeline = history.pipeline AND stays.detector = history.detector
            AND stays.track = history.track
        """
}
