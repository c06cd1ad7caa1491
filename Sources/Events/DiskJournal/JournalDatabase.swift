// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import EventLines
import EventLog
import Glibc
import SQLite

/// The journal's SQLite database: blocks of events, the missing numbers between them, and the history.
///
/// Only one thread may use the database. It reads its state from disk when it is opened, and updates the state with
/// each commit.
struct JournalDatabase {
    /// The distance above the newest commit from which a daemon continues after a reboot of the machine. Numbers used
    /// after that commit may then be unknown.
    static let lease: UInt64 = 1 << 24
    /// The size of a block in bytes; a single event may be larger.
    private static let blockBytes = 64 * 1024

    let path: String
    let limits: JournalLimits
    let db: Database
    private(set) var runID = ""
    var first: UInt64 = 1
    private(set) var end: UInt64 = 1
    /// The event counts before `first`, and before `end`.
    var evicted: EventCounts? = EventCounts()
    private(set) var counts = EventCounts()
    private(set) var leased: UInt64 = 1
    var live = LiveTracks()
    /// The number after the newest forgotten event; 0 if nothing was forgotten in this run.
    var forgotten: UInt64 = 0
    /// The size in bytes of the file's pages in use.
    var bytes = 0
    /// The time at which the oldest event was stored, in seconds since the Unix epoch; nil without events.
    var oldest: Int64?

    /// Opens or creates the database.
    ///
    /// - Throws: `DatabaseError`; `.isCorrupt` if the file is not an intact database of this program.
    init(path: String, limits: JournalLimits) throws {
        self.path = path
        self.limits = limits
        // Creates the file first, so that only the daemon's group can read recorded events.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        if descriptor >= 0 { Glibc.close(descriptor) }
        db = try Database(path: path)
        // The order matters: `auto_vacuum` must precede the first table and the journal mode. In WAL mode readers
        // never wait; FULL makes a commit durable on disk.
        try db.execute(
            """
            PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            PRAGMA wal_autocheckpoint = \(limits.walBytes / 4096); PRAGMA journal_size_limit = \(limits.walBytes);
            PRAGMA cache_size = -512
            """)
        try JournalSchema.prepare(db)
        try load()
    }

    func close() { db.close() }

    /// The daemon's folder for pictures.
    var picturesFolder: String { HistoryPicture.folder(ofDatabase: path) }

    private mutating func load() throws {
        guard let row = try db.first("SELECT * FROM run") else { return }
        guard let runID = row["run_id"].text, let end = row["next"].bits, let leased = row["lease"].bits,
            let counts = row["counts"].blob.flatMap(EventCounts.init(bytes:)),
            let live = row["live"].blob.flatMap(LiveTracks.init(json:))
        else { throw DatabaseError.corrupt("the row of the run is damaged") }
        (self.runID, self.end, self.leased) = (runID, end, leased)
        (self.counts, self.live) = (counts, live)
        evicted = row["evicted"].blob.flatMap(EventCounts.init(bytes:))
        forgotten = try db.first("SELECT before FROM forgotten")?[0].bits ?? 0
        (first, bytes) = (try JournalRetention.first(db) ?? end, try JournalRetention.bytes(db))
        oldest = try JournalRetention.oldest(db)
    }

    var archive: Archive { Archive(first: first, end: end, evicted: evicted, isWriting: true, forgotten: forgotten) }

    // MARK: Writing

    /// Deletes the events of any earlier run, and begins this run.
    ///
    /// - Parameters:
    ///   - next: the first sequence number of the run.
    ///   - counts: the event counts before that number; nil if unknown.
    mutating func begin(run: String, next: UInt64, counts: EventCounts?) throws {
        try db.transaction { try db.execute("DELETE FROM blocks; DELETE FROM holes") }
        (runID, first, end, live, forgotten) = (run, next, next, LiveTracks(), 0)
        (self.counts, evicted) = (counts ?? EventCounts(), counts)
        try commit(HandOff.Batch())
    }

    /// Makes the events durable, and deletes the data that exceed the limits, in one transaction.
    mutating func commit(_ batch: HandOff.Batch, at time: Int64 = Int64(Glibc.time(nil))) throws {
        var next = self
        let gone = try db.transaction {
            if let loss = batch.loss { try next.insert(loss) }
            var rest = batch.records[...]
            while !rest.isEmpty { try next.insert(block: Self.takeBlock(&rest), at: time) }
            if let counts = batch.counts { next.counts = counts }
            let gone = try JournalRetention.apply(limits, at: time, evicted: &next.evicted, db)
            next.first = try JournalRetention.first(db) ?? next.end
            next.leased = next.end + Self.lease
            try next.insertRun()
            next.bytes = try JournalRetention.bytes(db)
            next.oldest = try JournalRetention.oldest(db)
            return gone
        }
        self = next
        HistoryPicture.delete(gone, in: picturesFolder)
        // Returns a part of the freed pages to the file system at each commit.
        try db.execute("PRAGMA incremental_vacuum(256)")
    }

    private mutating func insert(_ loss: HandOff.Loss) throws {
        try insertHole(loss.sequences, loss.counts)
        if let lost = loss.counts { counts += lost }
        end = max(end, loss.sequences.upperBound + 1)
        // Lost updates end no track.
        if let counts = loss.counts, counts[.update] + counts[.missing] == counts.total { return }
        live.loseSight()
    }

    private mutating func insert(block: ArraySlice<ArchivedRecord>, at time: Int64) throws {
        guard let last = block.last?.sequence else { return }
        for record in block {
            live.take(record)
            try ZoneStays.take(record.event, runID, at: time, db)
            guard let content = History.Content(record.event) else { continue }
            try History.insert(content, runID, record.sequence, at: time, db)
        }
        counts += try insertBlock(block, at: time)
        end = last + 1
    }

    /// Stores missing numbers.
    func insertHole(_ sequences: ClosedRange<UInt64>, _ counts: EventCounts?) throws {
        try db.run(
            "INSERT INTO holes (first, last, counts) VALUES (?, ?, ?)",
            [
                DatabaseValue(bits: sequences.lowerBound), DatabaseValue(bits: sequences.upperBound),
                DatabaseValue(counts?.bytes),
            ])
    }

    /// Stores adjacent records.
    ///
    /// - Returns: the counts of the records.
    @discardableResult
    func insertBlock(_ block: ArraySlice<ArchivedRecord>, at time: Int64) throws -> EventCounts {
        var counts = EventCounts()
        for record in block { counts[record.event.kind] += 1 }
        try db.run(
            "INSERT INTO blocks (first, last, time, counts, bytes) VALUES (?, ?, ?, ?, ?)",
            [
                DatabaseValue(bits: block.first?.sequence ?? 0), DatabaseValue(bits: block.last?.sequence ?? 0),
                .integer(time), .blob(counts.bytes), .blob(RecordBlock.encode(block)),
            ])
        return counts
    }

    func insertRun() throws {
        try db.run(
            "INSERT OR REPLACE INTO forgotten (id, before) VALUES (1, ?)", [DatabaseValue(bits: forgotten)])
        try db.run(
            """
            INSERT OR REPLACE INTO run (id, run_id, next, lease, counts, evicted, live)
            VALUES (1, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(runID), DatabaseValue(bits: end), DatabaseValue(bits: leased), .blob(counts.bytes),
                DatabaseValue(evicted?.bytes), .blob(live.json),
            ])
    }

    /// Takes adjacent records without a missing number between them.
    static func takeBlock(_ rest: inout ArraySlice<ArchivedRecord>) -> ArraySlice<ArchivedRecord> {
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

    /// The stored lines with these numbers.
    func lines(_ sequences: Set<UInt64>) throws -> [UInt64: EncodedEvent] {
        var lines: [UInt64: EncodedEvent] = [:]
        for sequence in sequences.sorted() where lines[sequence] == nil {
            let page = try ArchiveReading.page(db, from: sequence, bytes: 1)
            for record in page.records where sequences.contains(record.sequence) {
                lines[record.sequence] = record.event
            }
        }
        return lines
    }
}

extension EventCounts {
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 * 8 else { return nil }
        var reader = PayloadReader(bytes[...])
        self.init(values: (0..<16).compactMap { _ in reader.integer() })
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for value in values { bytes.append(integer: value) }
        return bytes
    }
}
