import Events
import Foundation
import GRDB
import Observations

/// The completed tracks of the journal.
package enum TrackHistory {
    /// A track's item longer than this is left out: the history is who, when and what, not the event.
    private static let maximumItemBytes = 4096

    static func insert(
        _ track: CompletedTrack, _ runID: String, _ sequence: UInt64, at time: Int64, _ db: Database
    ) throws {
        func text(_ bytes: [UInt8]?) -> String? {
            bytes.flatMap { $0.count <= maximumItemBytes ? String(decoding: $0, as: UTF8.self) : nil }
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO tracks (run_id, seq, recorded, pipeline, detector, kind, track, first_seen, last_seen,
                    duration_ms, frames, reason, value, last, best)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                runID, Int64(bitPattern: sequence), time, track.pipeline, track.detector, track.kind.rawValue, track.id,
                track.firstSeen.nanoseconds, track.lastSeen.nanoseconds, track.milliseconds, track.frames, track.reason,
                track.value.map { String($0.prefix(1024)) }, text(track.last), text(track.best),
            ])
    }

    /// What somebody asks the history for.
    package struct Query: Sendable, Equatable {
        package var kinds: [FeatureKind] = []
        /// Names; `*` stands for any characters, `?` for one. So with `value`.
        package var pipelines: [String] = []
        package var value: String?
        /// Tracks that were last seen then or later.
        package var since: Timestamp?
        /// Tracks that were first seen before.
        package var until: Timestamp?
        package var limit = 100

        package init() {}
    }

    package struct Entry: Sendable {
        package var track: CompletedTrack
        package var runID: String
        package var sequence: UInt64
        /// Its picture, where there is one and it is still there.
        package var picture: String?
    }

    /// Reads the database beside a daemon that writes it, or without one; changes nothing.
    ///
    /// - Parameter folder: the daemon's `state_dir`.
    /// - Returns: the newest first: in the order in which they were completed.
    /// - Throws: `JournalError`.
    package static func read(folder: String, _ query: Query) throws(JournalError) -> [Entry] {
        let path = DiskJournal.databasePath(folder)
        guard access(path, R_OK) == 0 else {
            let advice =
                errno == ENOENT
                ? "there is none; the daemon keeps one with events.journal_disk"
                : "\(words(errno)); use sudo: it is the daemon's user's"
            throw JournalError("cannot read the history in \(path): \(advice)")
        }
        do {
            return try ReadOnlyDatabase.open(path).read { db in
                try fetch(query, db)
            }
        } catch {
            throw JournalError("cannot read the history in \(path): \(error.reason)")
        }
    }

    private static func fetch(_ query: Query, _ db: Database) throws -> [Entry] {
        var conditions: [String] = []
        var arguments = StatementArguments()
        func add(_ condition: String, _ values: [any DatabaseValueConvertible]) {
            conditions.append("(\(condition))")
            arguments += StatementArguments(values)
        }
        if !query.kinds.isEmpty {
            add(query.kinds.map { _ in "kind = ?" }.joined(separator: " OR "), query.kinds.map(\.rawValue))
        }
        if !query.pipelines.isEmpty {
            add(query.pipelines.map { _ in "pipeline GLOB ?" }.joined(separator: " OR "), query.pipelines.map(glob))
        }
        if let value = query.value { add("value GLOB ?", [glob(value)]) }
        if let since = query.since { add("last_seen >= ?", [since.nanoseconds]) }
        if let until = query.until { add("first_seen < ?", [until.nanoseconds]) }
        let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
        arguments += [query.limit]
        return try Row.fetchAll(
            db, sql: "SELECT * FROM tracks \(condition) ORDER BY id DESC LIMIT ?", arguments: arguments
        ).compactMap(Entry.init)
    }

    /// SQLite's patterns have brackets too: here they are themselves.
    private static func glob(_ pattern: String) -> String {
        pattern.split(separator: "[", omittingEmptySubsequences: false).joined(separator: "[[]")
    }
}

extension TrackHistory.Entry {
    /// - Returns: nil for a row that this version does not know how to read.
    fileprivate init?(_ row: Row) {
        guard let kind = FeatureKind(rawValue: row["kind"]) else { return nil }
        let (last, best): (String?, String?) = (row["last"], row["best"])
        runID = row["run_id"]
        sequence = UInt64(bitPattern: row["seq"])
        picture = best.flatMap(TrackPicture.path).flatMap { access($0, F_OK) == 0 ? $0 : nil }
        track = CompletedTrack(
            pipeline: row["pipeline"], detector: row["detector"], kind: kind, id: row["track"],
            firstSeen: Timestamp(nanoseconds: row["first_seen"]), lastSeen: Timestamp(nanoseconds: row["last_seen"]),
            milliseconds: row["duration_ms"], frames: row["frames"], reason: row["reason"], value: row["value"],
            last: Array((last ?? "").utf8), best: best.map { Array($0.utf8) })
    }
}
