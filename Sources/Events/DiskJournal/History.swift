// SPDX-License-Identifier: Apache-2.0
import EventLines
import Glibc
import Observations
import SQLite

/// The history of completed tracks and finished searches, which is kept longer than their events.
package enum History {
    /// The subject of an entry.
    package enum Content: Sendable, Equatable {
        case track(CompletedTrack)
        case search(FinishedSearch)

        /// - Returns: nil for a line that does not belong in the history.
        init?(_ event: EncodedEvent) {
            if let track = CompletedTrack(event) {
                self = .track(track)
            } else if let search = FinishedSearch(event) {
                self = .search(search)
            } else {
                return nil
            }
        }
    }

    /// The longest item in bytes; longer items are left out. The history records who, when and what, not whole events.
    private static let maximumItemBytes = 4096

    static func insert(
        _ content: Content, _ runID: String, _ sequence: UInt64, at time: Int64, _ db: Database
    ) throws {
        func text(_ bytes: [UInt8]?, _ limit: Int = maximumItemBytes) -> String? {
            bytes.flatMap { $0.count <= limit && !$0.isEmpty ? String(decoding: $0, as: UTF8.self) : nil }
        }
        let columns: [DatabaseValue] =
            switch content {
            case .track(let track):
                [
                    .text(track.pipeline), .text(track.detector), .text(track.kind.rawValue), .text(track.id),
                    .integer(track.firstSeen.nanoseconds), .integer(track.lastSeen.nanoseconds),
                    .integer(track.milliseconds), .integer(track.frames), .text(track.reason),
                    DatabaseValue(track.value.map { String($0.prefix(1024)) }), DatabaseValue(text(track.last)),
                    DatabaseValue(text(track.best)), .null, .null, DatabaseValue(track.picture),
                ]
            case .search(let search):
                [
                    .text(search.pipeline), .text(search.detector), .text(search.kind.rawValue), .text(search.track),
                    .integer(search.time.nanoseconds), .integer(search.time.nanoseconds), .integer(0), .integer(0),
                    .text(search.outcome), DatabaseValue(search.value.map { String($0.prefix(1024)) }),
                    DatabaseValue(text(search.object)), .null, .text(search.id),
                    DatabaseValue(text(search.answer, 4 * maximumItemBytes)), DatabaseValue(search.crop),
                ]
            }
        try db.run(
            """
            INSERT INTO history (run_id, seq, recorded, pipeline, detector, kind, track, first_seen, last_seen,
                duration_ms, frames, reason, value, last, best, search, answer, picture)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [.text(runID), DatabaseValue(bits: sequence), .integer(time)] + columns)
    }

    /// A query of the history.
    package struct Query: Sendable, Equatable {
        package enum Part: String, Sendable, CaseIterable {
            case tracks
            case searches
        }

        /// nil selects both.
        package var part: Part?
        package var kinds: [FeatureKind] = []
        /// Names; `*` matches any characters, `?` matches one. `value` uses the same syntax.
        package var pipelines: [String] = []
        /// Zones in which a track was, in the syntax of `pipelines`.
        package var zones: [String] = []
        /// For a search, the searched value or the title of the best result.
        package var value: String?
        /// Selects tracks last seen, and searches ended, at this time or later.
        package var since: Timestamp?
        /// Selects tracks first seen, and searches ended, before this time.
        package var until: Timestamp?
        package var limit = 100

        package init() {}
    }

    package struct Entry: Sendable {
        package var content: Content
        package var runID: String
        package var sequence: UInt64
        /// The path of the entry's picture, if the file still exists.
        package var picture: String?
        /// The zones in which the track was, as JSON; empty without zones.
        package var zones: [UInt8]
    }

    /// Reads the database directly, with or without a running daemon, and changes nothing.
    ///
    /// - Parameter folder: the daemon's `state_dir`.
    /// - Returns: the entries, newest first, in the order of completion or answer.
    /// - Throws: `JournalError`.
    package static func read(folder: String, _ query: Query) throws(JournalError) -> [Entry] {
        let path = DiskJournal.databasePath(folder)
        guard access(path, R_OK) == 0 else {
            let advice =
                errno == ENOENT
                ? "the file does not exist; the daemon keeps a history if retention.events has a size"
                : "\(words(errno)); use sudo, because the file belongs to the daemon's user"
            throw JournalError("cannot read the history in \(path): \(advice)")
        }
        do {
            return try fetch(query, ReadOnlyDatabase.open(path))
        } catch {
            throw JournalError("cannot read the history in \(path): \(error)")
        }
    }

    /// The picture of the entry that an event made; nil if the entry or its file does not exist.
    ///
    /// - Throws: `JournalError`.
    package static func picture(
        folder: String, runID: String, sequence: UInt64
    ) throws(JournalError) -> (pipeline: String, file: String)? {
        let path = DiskJournal.databasePath(folder)
        do {
            let rows = try ReadOnlyDatabase.open(path).all(
                "SELECT pipeline, picture FROM history WHERE run_id = ? AND seq = ? AND picture IS NOT NULL LIMIT 1",
                [.text(runID), DatabaseValue(bits: sequence)])
            guard let row = rows.first, let pipeline = row["pipeline"].text, let file = row["picture"].text,
                access(file, R_OK) == 0
            else { return nil }
            return (pipeline, file)
        } catch {
            throw JournalError("cannot read the history in \(path): \(error)")
        }
    }

    private static func fetch(_ query: Query, _ db: Database) throws -> [Entry] {
        var conditions: [String] = []
        var arguments: [DatabaseValue] = []
        func add(_ condition: String, _ values: [DatabaseValue]) {
            conditions.append("(\(condition))")
            arguments += values
        }
        switch query.part {
        case .tracks: conditions.append("search IS NULL")
        case .searches: conditions.append("search IS NOT NULL")
        case nil: break
        }
        if !query.kinds.isEmpty {
            add(query.kinds.map { _ in "kind = ?" }.joined(separator: " OR "), query.kinds.map { .text($0.rawValue) })
        }
        if !query.pipelines.isEmpty {
            add(
                query.pipelines.map { _ in "pipeline GLOB ?" }.joined(separator: " OR "),
                query.pipelines.map { .text(glob($0)) })
        }
        if let value = query.value {
            add(
                "value GLOB ? OR json_extract(answer, '$.best.title') GLOB ?", [.text(glob(value)), .text(glob(value))])
        }
        let hasStays = try ZoneStays.exist(db)
        if !query.zones.isEmpty {
            let condition = hasStays ? ZoneStays.condition : "? IS NULL"
            add(query.zones.map { _ in condition }.joined(separator: " OR "), query.zones.map { .text(glob($0)) })
        }
        if let since = query.since { add("last_seen >= ?", [.integer(since.nanoseconds)]) }
        if let until = query.until { add("first_seen < ?", [.integer(until.nanoseconds)]) }
        let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
        arguments.append(DatabaseValue(query.limit))
        let columns = hasStays ? "*, \(ZoneStays.column)" : "*, NULL AS zones"
        return try db.all("SELECT \(columns) FROM history \(condition) ORDER BY id DESC LIMIT ?", arguments)
            .compactMap(Entry.init)
    }

    /// Escapes the brackets of SQLite patterns, which are plain characters here.
    private static func glob(_ pattern: String) -> String {
        pattern.split(separator: "[", omittingEmptySubsequences: false).joined(separator: "[[]")
    }
}

extension History.Entry {
    /// - Returns: nil for a row that this version cannot read.
    fileprivate init?(_ row: DatabaseRow) {
        guard let content = History.Content(row), let runID = row["run_id"].text, let sequence = row["seq"].bits else {
            return nil
        }
        self.content = content
        self.runID = runID
        self.sequence = sequence
        picture = row["picture"].text.flatMap { access($0, F_OK) == 0 ? $0 : nil }
        zones = row["zones"].text.map { $0 == "[]" ? [] : Array($0.utf8) } ?? []
    }
}

extension History.Content {
    fileprivate init?(_ row: DatabaseRow) {
        guard let kind = row["kind"].text.flatMap(FeatureKind.init(rawValue:)), let pipeline = row["pipeline"].text,
            let detector = row["detector"].text, let track = row["track"].text,
            let firstSeen = row["first_seen"].integer.map(Timestamp.init(nanoseconds:)),
            let lastSeen = row["last_seen"].integer.map(Timestamp.init(nanoseconds:)),
            let milliseconds = row["duration_ms"].integer, let frames = row["frames"].integer,
            let reason = row["reason"].text
        else { return nil }
        let (value, item) = (row["value"].text, Array((row["last"].text ?? "").utf8))
        if let search = row["search"].text {
            self = .search(
                FinishedSearch(
                    pipeline: pipeline, detector: detector, kind: kind, track: track, id: search, time: lastSeen,
                    outcome: reason, value: value, object: item, answer: Array((row["answer"].text ?? "{}").utf8)))
        } else {
            self = .track(
                CompletedTrack(
                    pipeline: pipeline, detector: detector, kind: kind, id: track, firstSeen: firstSeen,
                    lastSeen: lastSeen, milliseconds: milliseconds, frames: frames, reason: reason,
                    value: value, last: item, best: row["best"].text.map { Array($0.utf8) }))
        }
    }
}
