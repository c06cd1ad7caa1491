// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import EventLines
import EventLog
import Glibc
import GlimpseTesting
import Observations
import SQLite
import Search
import Testing

@testable import DiskJournal

/// Completed tracks and finished searches are listed newest first. The history names pictures while the files exist,
/// and drops them with their tracks.
@Suite struct HistoryTests {
    private let scope = TestScope()
    private let limits = JournalLimits(bytes: 64 << 20, eventAge: 100, trackAge: 1000)

    private func database() throws -> JournalDatabase {
        var database = try JournalDatabase(path: scope.path("journal.sqlite"), limits: limits)
        if database.runID.isEmpty { try database.begin(run: "0123456789abcdef", next: 1, counts: EventCounts()) }
        return database
    }

    private func commit(
        _ events: [EncodedEvent], to database: inout JournalDatabase, at time: Int64 = 10_000, pipeline: String = "door"
    ) throws {
        for event in events {
            try database.commit(
                .init(records: [.init(sequence: database.end, pipeline: pipeline, event: event)]), at: time)
        }
    }

    private func read(_ change: (inout History.Query) -> Void = { _ in }) throws -> [History.Entry] {
        var query = History.Query()
        change(&query)
        return try History.read(folder: scope.folder, query)
    }

    private func completed(_ id: UInt64, picture: String) -> EncodedEvent {
        var event = SampleEvents.trackEvent(.completed(.gone), id: id, frame: id)
        event.best = SnapshotEvent(
            detector: "face", kind: .face, track: TrackID(id), rule: .best, frame: event.frame, file: picture, width: 1,
            height: 1, bytes: 1, score: 0.5)
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "door"))
        return encoder.encode(.track(event))
    }

    private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private func search(_ entry: History.Entry?) throws -> FinishedSearch {
        guard case .search(let search) = try #require(entry).content else { throw JournalError("a track") }
        return search
    }

    @Test func historyDropsPicturesWithTheirTracksAndSearches() throws {
        var database = try database()
        var events = SampleEvents()
        let ours = scope.write("snapshots/door/a.jpg", "picture")
        let crop = scope.write("snapshots/door/crop.jpg", "picture")
        scope.write("snapshots/door/a.json", "{}")
        // Values that a misbehaving worker may have written into its lines.
        let others = [
            scope.write("passwords.jpg", "secret"), scope.write("snapshots/door/notes.txt", "text"),
        ]
        let lines = [ours, others[0], others[1], "\(scope.folder)/snapshots/../passwords.jpg"]
        try commit(lines.enumerated().map { completed(UInt64($0 + 1), picture: $1) }, to: &database)
        try commit([events.search(.searched, query: "1.1", crop: crop, outcome: .noResults)], to: &database)
        let entries = try read()
        #expect(entries.count == 5 && entries.last?.picture == ours && entries.first?.picture == crop && isThere(ours))
        try database.commit(.init(), at: 12_000)
        database.close()
        #expect(try read().isEmpty)
        #expect(!isThere(ours) && !isThere(scope.path("snapshots/door/a.json")) && !isThere(crop))
        #expect(others.allSatisfy(isThere))
    }

    @Test func theHistoryKnowsTheZonesOfTracks() throws {
        var database = try database()
        var events = SampleEvents()
        // Two stays in one zone, one in another, and a track that is still in view.
        try commit(
            events.zoneLines("desk", id: 1) + events.zoneLines("desk", id: 1, frame: 9)
                + events.zoneLines("door", id: 1, frame: 9) + events.zoneLines("desk", id: 3),
            to: &database)
        try commit([events.track(.completed(.gone), id: 1), events.track(.completed(.gone), id: 2)], to: &database)
        func zones() throws -> [String] { try read().map { String(decoding: $0.zones, as: UTF8.self) } }
        let known = #"[{"zone":"desk","visits":2,"dwell_ms":6000},{"zone":"door","visits":1,"dwell_ms":3000}]"#
        #expect(try zones() == ["", known])
        #expect(try read { $0.zones = ["door"] }.map(\.sequence) == [13])
        #expect(try read { $0.zones = ["nowhere", "des?"] }.map(\.sequence) == [13])
        #expect(try read { $0.zones = ["nowhere"] }.isEmpty)
        #expect(String(decoding: try #require(try read().last).json, as: UTF8.self).contains("\"zones\":\(known)"))

        func stays() throws -> Int64? {
            try Database(path: scope.path("journal.sqlite")).first("SELECT count(*) FROM stays")?[0].integer
        }
        var live = ForgetSelection()
        (live.detector, live.track) = ("face", 3)
        _ = try database.forget(live)
        #expect(try stays() == 2)
        try database.commit(.init(), at: 12_000)
        #expect(try stays() == 0)
        database.close()
    }

    @Test func historyOfADatabaseWithoutZonesIsRead() throws {
        var database = try database()
        var events = SampleEvents()
        try commit([events.track(.completed(.gone), id: 1)], to: &database)
        database.close()
        try Database(path: scope.path("journal.sqlite")).execute("DROP TRIGGER stays_end; DROP TABLE stays")
        #expect(try read().count == 1 && read { $0.zones = ["desk"] }.isEmpty)
        #expect(try self.database().runID == "0123456789abcdef")
    }

    @Test func historyOmitsDeletedPictures() throws {
        var database = try database()
        try commit([completed(1, picture: scope.path("snapshots/door/none.jpg"))], to: &database)
        database.close()
        let entry = try #require(try read().first)
        guard case .track(let track) = entry.content else { throw JournalError("a search") }
        #expect(entry.picture == nil && track.best != nil)
    }

    /// The history keeps only the searches of a session.
    @Test func theHistoryKeepsTheResultsOfSearches() throws {
        var database = try database()
        var events = SampleEvents(pipeline: "shelf")
        let results = [
            SearchResult(id: "4006", title: "Mineral \"water\"", confidence: 0.9375, payload: #"{"price":1}"#),
            SearchResult(id: "4007", title: "Juice", confidence: 0.5),
        ]
        let failure = SearchFailure(.network, retryable: true, message: "no route to host")
        try commit(
            [
                events.search(.detecting), events.search(.searching, query: "1.1"),
                events.search(.searched, frame: 30, query: "1.1", outcome: .results(results)),
                events.search(.searching, query: "1.2"),
                events.search(.searchFailed, frame: 60, query: "1.2", outcome: .failed(failure)),
                events.search(.searched, frame: 90, query: "1.3", outcome: .lowConfidence),
                events.search(.searched, .barcode, frame: 120, query: "1.4", outcome: .value),
                events.track(.completed(.gone), .object, id: 7, frame: 130),
            ], to: &database, pipeline: "shelf")
        database.close()
        #expect(try read().map(\.sequence) == [8, 7, 6, 5, 3])
        #expect(try read { $0.part = .tracks }.map(\.sequence) == [8])
        let searches = try read { $0.part = .searches }
        #expect(searches.map(\.sequence) == [7, 6, 5, 3])
        let (value, failed, found) = (try search(searches[0]), try search(searches[2]), try search(searches[3]))
        #expect(value.outcome == "value" && value.value == "4006381333931" && value.answer == Array("{}".utf8))
        #expect(failed.outcome == "failed" && failed.reason == "network")
        #expect(
            String(decoding: failed.answer, as: UTF8.self)
                == #"{"reason":"network","retryable":true,"error":"no route to host"}"#)
        #expect(found.id == "1.1" && found.track == "7" && found.value == "cup \"1\"" && found.confidence == "0.9375")
        #expect(found.title == "Mineral \"water\"" && found.time.nanoseconds == 30 * 33_333_333)
        #expect(String(decoding: found.answer, as: UTF8.self).hasPrefix(#"{"results":2,"best":{"id":"4006","#))
        // Filters concern the searched object and the result.
        #expect(try read { $0.value = "Mineral*" }.map(\.sequence) == [3])
        #expect(try read { $0.value = "4006381333931" }.map(\.sequence) == [7])
        #expect(try read { ($0.part, $0.kinds) = (.searches, [.barcode]) }.map(\.sequence) == [7])
        #expect(try read { $0.since = Timestamp(nanoseconds: 90 * 33_333_333) }.map(\.sequence) == [8, 7, 6])
        #expect(try read { ($0.part, $0.limit) = (.searches, 2) }.map(\.sequence) == [7, 6])
    }

    /// The history redacts too. A text that is too long for the history does not appear in part.
    @Test func historyRedactsLikeTheLines() throws {
        var database = try database()
        var encoder = EventEncoder(
            pipeline: PipelineIdentity(name: "shelf"),
            barcodes: BarcodeReporting(redactions: [BarcodeRedaction(.product)]))
        let seen = SampleEvents.trackEvent(.update, .barcode, id: 7, frame: 2)
        var status = SearchStatus(state: .searched, frame: seen.frame)
        (status.track, status.detection) = (TrackID(7), seen.track.detection)
        (status.query, status.outcome) = ("1.1", .value)
        let hidden = encoder.encode(.search(SearchEvent(detector: "barcode", kind: .barcode, status: status)))
        var events = SampleEvents(pipeline: "shelf")
        let long = SearchResult(
            id: "a", title: String(repeating: "\u{1}", count: 512), confidence: 1,
            picture: String(repeating: "\u{1}", count: 1024),
            payload: "\"\(String(repeating: "\\u0001", count: 340))\"")
        try commit(
            [hidden, events.search(.searched, query: "1.2", outcome: .results([long]))], to: &database,
            pipeline: "shelf")
        database.close()
        let entries = try read()
        #expect(entries.count == 2)
        let search = try search(entries.last)
        #expect(search.value == nil && !String(decoding: search.object, as: UTF8.self).contains("4006381333931"))
    }

    /// The history as a daemon of version 1 wrote it.
    @Test func aHistoryOfAnOlderVersionIsContinued() throws {
        let picture = scope.write("snapshots/door/a.jpg", "picture")
        let now = Int64(time(nil))
        let old = try Database(path: scope.path("journal.sqlite"))
        try old.transaction {
            try old.execute(
                """
                CREATE TABLE run (
                    id INTEGER PRIMARY KEY CHECK (id = 1), run_id TEXT NOT NULL, next INTEGER NOT NULL,
                    lease INTEGER NOT NULL, counts BLOB NOT NULL, evicted BLOB, live BLOB NOT NULL);
                CREATE TABLE blocks (
                    first INTEGER PRIMARY KEY, last INTEGER NOT NULL, time INTEGER NOT NULL, counts BLOB NOT NULL,
                    bytes BLOB NOT NULL);
                CREATE TABLE holes (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, counts BLOB);
                CREATE TABLE tracks (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, seq INTEGER NOT NULL,
                    recorded INTEGER NOT NULL, pipeline TEXT NOT NULL, detector TEXT NOT NULL, kind TEXT NOT NULL, track TEXT NOT NULL,
                    first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL, duration_ms INTEGER NOT NULL,
                    frames INTEGER NOT NULL, reason TEXT NOT NULL, value TEXT, last TEXT, best TEXT);
                CREATE INDEX tracks_by_time ON tracks (last_seen);
                PRAGMA user_version = 1
                """)
            let insert = """
                INSERT INTO tracks (run_id, seq, recorded, pipeline, detector, kind, track, first_seen, last_seen, duration_ms,
                    frames, reason, value, last, best)
                VALUES ('r', ?, \(now), 'door', 'face', 'face', ?, 1, 2, 3, 4, 'gone', NULL, '{}', ?)
                """
            try old.run(insert, [.integer(1), .text("1"), .text("{\"snapshot\":\"\(picture)\"}")])
            try old.run(insert, [.integer(2), .text("2"), .null])
        }
        old.close()
        var database = try database()
        var events = SampleEvents()
        try commit([events.search(.searched, query: "1.1", outcome: .value)], to: &database, at: now)
        let entries = try read()
        #expect(entries.map(\.sequence) == [1, 2, 1])
        #expect(entries.map(\.picture) == [nil, nil, picture])
        try database.commit(.init(), at: now + 2000)
        database.close()
        #expect(try read().isEmpty && !isThere(picture))
    }
}
