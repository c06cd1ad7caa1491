import EventLines
import Foundation
import GRDB
import Observations

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
        let place: StatementArguments = [runID, Int64(bitPattern: sequence), time]
        let columns: StatementArguments =
            switch content {
            case .track(let track):
                [
                    track.pipeline, track.detector, track.kind.rawValue, track.id, track.firstSeen.nanoseconds,
                    track.lastSeen.nanoseconds, track.milliseconds, track.frames, track.reason,
                    track.value.map { String($0.prefix(1024)) }, text(track.last), text(track.best), nil, nil,
                    track.picture,
                ]
            case .search(let search):
                [
                    search.pipeline, search.detector, search.kind.rawValue, search.track, search.time.nanoseconds,
                    search.time.nanoseconds, 0, 0, search.outcome, search.value.map { String($0.prefix(1024)) },
                    text(search.object), nil, search.id, text(search.answer, 4 * maximumItemBytes), search.crop,
                ]
            }
        try db.cachedStatement(
            sql: """
                INSERT INTO history (run_id, seq, recorded, pipeline, detector, kind, track, first_seen, last_seen,
                    duration_ms, frames, reason, value, last, best, search, answer, picture)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: place + columns)
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
                ? "the file does not exist; the daemon keeps a history if events.journal_disk is set"
                : "\(words(errno)); use sudo, because the file belongs to the daemon's user"
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
        switch query.part {
        case .tracks: conditions.append("search IS NULL")
        case .searches: conditions.append("search IS NOT NULL")
        case nil: break
        }
        if !query.kinds.isEmpty {
            add(query.kinds.map { _ in "kind = ?" }.joined(separator: " OR "), query.kinds.map(\.rawValue))
        }
        if !query.pipelines.isEmpty {
            add(query.pipelines.map { _ in "pipeline GLOB ?" }.joined(separator: " OR "), query.pipelines.map(glob))
        }
        if let value = query.value {
            add("value GLOB ? OR json_extract(answer, '$.best.title') GLOB ?", [glob(value), glob(value)])
        }
        if let since = query.since { add("last_seen >= ?", [since.nanoseconds]) }
        if let until = query.until { add("first_seen < ?", [until.nanoseconds]) }
        let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
        arguments += [query.limit]
        return try Row.fetchAll(
            db, sql: "SELECT * FROM history \(condition) ORDER BY id DESC LIMIT ?", arguments: arguments
        ).compactMap(Entry.init)
    }

    /// Escapes the brackets of SQLite patterns, which are plain characters here.
    private static func glob(_ pattern: String) -> String {
        pattern.split(separator: "[", omittingEmptySubsequences: false).joined(separator: "[[]")
    }
}

extension History.Entry {
    /// - Returns: nil for a row that this version cannot read.
    fileprivate init?(_ row: Row) {
        guard let content = History.Content(row) else { return nil }
        self.content = content
        runID = row["run_id"]
        sequence = UInt64(bitPattern: row["seq"])
        let path: String? = row["picture"]
        picture = path.flatMap { access($0, F_OK) == 0 ? $0 : nil }
    }
}

extension History.Content {
    fileprivate init?(_ row: Row) {
        guard let kind = FeatureKind(rawValue: row["kind"]) else { return nil }
        let (last, search, answer): (String?, String?, String?) = (row["last"], row["search"], row["answer"])
        let item = Array((last ?? "").utf8)
        if let search {
            self = .search(
                FinishedSearch(
                    pipeline: row["pipeline"], detector: row["detector"], kind: kind, track: row["track"], id: search,
                    time: Timestamp(nanoseconds: row["last_seen"]), outcome: row["reason"], value: row["value"],
                    object: item, answer: Array((answer ?? "{}").utf8)))
            return
        }
        let best: String? = row["best"]
        self = .track(
            CompletedTrack(
                pipeline: row["pipeline"], detector: row["detector"], kind: kind, id: row["track"],
                firstSeen: Timestamp(nanoseconds: row["first_seen"]),
                lastSeen: Timestamp(nanoseconds: row["last_seen"]), milliseconds: row["duration_ms"],
                frames: row["frames"], reason: row["reason"], value: row["value"], last: item,
                best: best.map { Array($0.utf8) }))
    }
}
