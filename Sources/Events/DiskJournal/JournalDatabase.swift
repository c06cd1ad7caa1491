import BinaryFormat
import EventLines
import EventLog
import Foundation
import GRDB
import Glibc

/// The journal's SQLite database: blocks of events, the numbers that are missing between them, and the history.
///
/// Used by one thread. What it knows of its own content is read when it is opened, and changes with each commit.
struct JournalDatabase: Sendable {
    /// Numbers above the newest commit that another boot of the machine does not use: what was given after it may not be known then.
    static let lease: UInt64 = 1 << 24
    /// Bytes of a block; one event may have more.
    private static let blockBytes = 64 * 1024

    let path: String
    let limits: JournalLimits
    private let queue: DatabaseQueue
    private(set) var runID = ""
    private(set) var first: UInt64 = 1
    private(set) var end: UInt64 = 1
    /// What there was before `first`, and before `end`.
    private(set) var evicted: EventCounts? = EventCounts()
    private(set) var counts = EventCounts()
    private(set) var leased: UInt64 = 1
    private(set) var live = LiveTracks()
    /// Bytes of the file's pages that are in use.
    private(set) var bytes = 0

    /// Opens the database, or makes it.
    ///
    /// - Throws: `DatabaseError`; `.isCorrupt` for what is no sound database of ours.
    init(path: String, limits: JournalLimits) throws {
        self.path = path
        self.limits = limits
        // Made here, so that what was seen is for the daemon's group at most.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        if descriptor >= 0 { Glibc.close(descriptor) }
        queue = try DatabaseQueue(path: path, configuration: .journal(limits))
        try queue.writeWithoutTransaction { try JournalSchema.prepare($0) }
        try load()
    }

    func close() { try? queue.close() }

    /// Where the daemon keeps pictures.
    private var picturesFolder: String { HistoryPicture.folder(ofDatabase: path) }

    private mutating func load() throws {
        let row = try queue.read { try Row.fetchOne($0, sql: "SELECT * FROM run") }
        guard let row else { return }
        runID = row["run_id"]
        end = UInt64(bitPattern: row["next"])
        leased = UInt64(bitPattern: row["lease"])
        let evicted: Data? = row["evicted"]
        guard let counts = EventCounts(data: row["counts"]), let live = LiveTracks(json: row["live"])
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its row of the run is damaged") }
        (self.counts, self.evicted, self.live) = (counts, evicted.flatMap(EventCounts.init(data:)), live)
        (first, bytes) = try queue.read { try (JournalRetention.first($0) ?? end, JournalRetention.bytes($0)) }
    }

    var archive: Archive { Archive(first: first, end: end, evicted: evicted, isWriting: true) }

    // MARK: Writing

    /// Forgets the events of any run before, and begins this one.
    ///
    /// - Parameters:
    ///   - next: the first number that it gets.
    ///   - counts: what there was before it; nil when nobody knows.
    mutating func begin(run: String, next: UInt64, counts: EventCounts?) throws {
        try queue.write { db in
            try db.execute(sql: "DELETE FROM blocks")
            try db.execute(sql: "DELETE FROM holes")
        }
        (runID, first, end, live) = (run, next, next, LiveTracks())
        (self.counts, evicted) = (counts ?? EventCounts(), counts)
        try commit(HandOff.Batch())
    }

    /// Makes the events durable, and deletes what the limits leave no room for. All of it or nothing.
    mutating func commit(_ batch: HandOff.Batch, at time: Int64 = Int64(Foundation.time(nil))) throws {
        var next = self
        let gone = try queue.write { db in
            if let loss = batch.loss { try next.insert(loss, db) }
            var rest = batch.records[...]
            while !rest.isEmpty { try next.insert(block: Self.takeBlock(&rest), at: time, db) }
            if let counts = batch.counts { next.counts = counts }
            let gone = try JournalRetention.apply(limits, at: time, evicted: &next.evicted, db)
            next.first = try JournalRetention.first(db) ?? next.end
            next.leased = next.end + Self.lease
            try next.insertRun(db)
            next.bytes = try JournalRetention.bytes(db)
            return gone
        }
        self = next
        HistoryPicture.delete(gone, in: picturesFolder)
        // What was deleted goes back to the file system, some of it at each commit.
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA incremental_vacuum(256)") }
    }

    private mutating func insert(_ loss: HandOff.Loss, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO holes (first, last, counts) VALUES (?, ?, ?)",
            arguments: [
                Int64(loss.sequences.lowerBound), Int64(loss.sequences.upperBound), loss.counts?.data,
            ])
        if let lost = loss.counts { counts += lost }
        end = max(end, loss.sequences.upperBound + 1)
        // Lost updates end nothing.
        if let counts = loss.counts, counts[.update] + counts[.missing] == counts.total { return }
        live.loseSight()
    }

    private mutating func insert(block: ArraySlice<ArchivedRecord>, at time: Int64, _ db: Database) throws {
        guard let first = block.first?.sequence, let last = block.last?.sequence else { return }
        var counts = EventCounts()
        for record in block {
            counts[record.event.kind] += 1
            live.take(record)
            guard let content = History.Content(record.event) else { continue }
            try History.insert(content, runID, record.sequence, at: time, db)
        }
        try db.cachedStatement(sql: "INSERT INTO blocks (first, last, time, counts, bytes) VALUES (?, ?, ?, ?, ?)")
            .execute(
                arguments: [Int64(first), Int64(last), time, counts.data, Data(RecordBlock.encode(block))])
        self.counts += counts
        end = last + 1
    }

    private func insertRun(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO run (id, run_id, next, lease, counts, evicted, live)
                VALUES (1, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                runID, Int64(bitPattern: end), Int64(bitPattern: leased), counts.data, evicted?.data, live.json,
            ])
    }

    /// Neighbours without a number missing between them.
    private static func takeBlock(_ rest: inout ArraySlice<ArchivedRecord>) -> ArraySlice<ArchivedRecord> {
        var bytes = 0
        var expected = rest.first?.sequence ?? 0
        let block = rest.prefix { record in
            defer { expected += 1 }
            bytes += record.event.body.count + 64
            return record.sequence == expected && (bytes <= blockBytes || bytes == record.event.body.count + 64)
        }
        rest.removeFirst(block.count)
        return block
    }

    // MARK: Reading

    /// The lines with these numbers, as far as they are there.
    func lines(_ sequences: Set<UInt64>) throws -> [UInt64: EncodedEvent] {
        var lines: [UInt64: EncodedEvent] = [:]
        for sequence in sequences.sorted() where lines[sequence] == nil {
            let page = try queue.read { try ArchiveReading.page($0, from: sequence, bytes: 1) }
            for record in page.records where sequences.contains(record.sequence) {
                lines[record.sequence] = record.event
            }
        }
        return lines
    }
}

extension EventCounts {
    init?(data: Data) {
        guard data.count == 16 * 8 else { return nil }
        var reader = PayloadReader(Array(data)[...])
        self.init(values: (0..<16).compactMap { _ in reader.integer() })
    }

    var data: Data {
        var bytes: [UInt8] = []
        for value in values { bytes.append(integer: value) }
        return Data(bytes)
    }
}

extension DatabaseError {
    /// Whether the file is none that can be used.
    var isCorrupt: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}

extension Configuration {
    fileprivate static func journal(_ limits: JournalLimits) -> Configuration {
        var configuration = Configuration()
        configuration.label = "glimpsed.journal"
        configuration.busyMode = .timeout(1)
        configuration.prepareDatabase { db in
            // The order counts: before there is a table, before there is a journal. Readers wait for nobody in WAL mode; FULL: what is
            // committed is on the disk.
            try db.execute(
                sql: """
                    PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                    PRAGMA wal_autocheckpoint = \(limits.walBytes / 4096); PRAGMA journal_size_limit = \(limits.walBytes);
                    PRAGMA cache_size = -512
                    """)
        }
        return configuration
    }
}
