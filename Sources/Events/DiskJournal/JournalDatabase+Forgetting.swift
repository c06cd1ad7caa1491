// SPDX-License-Identifier: Apache-2.0
import EventLog
import Glibc
import Logging
import Observations
import SQLite

extension JournalDatabase {
    /// Removes events and history in one transaction, then overwrites and frees what SQLite kept of them.
    ///
    /// - Throws: if anything can be left in the files. A repeated call then removes the rest.
    mutating func forget(_ selection: ForgetSelection) throws -> (events: UInt64, history: Int) {
        try db.execute("PRAGMA secure_delete = ON")
        var next = self
        let (events, pictures) = try db.transaction {
            let events = try next.forgetEvents(selection)
            let pictures = try Self.forgetHistory(selection, db)
            if selection.before == nil { next.live.forget(selection) }
            next.forgotten = next.end
            try next.insertRun()
            return (events, pictures)
        }
        self = next
        HistoryPicture.delete(pictures.compactMap(\.self), in: picturesFolder)
        try clean()
        (bytes, oldest) = (try JournalRetention.bytes(db), try JournalRetention.oldest(db))
        return (events, pictures.count)
    }

    /// Writes the database anew without its free space, and empties the write-ahead log.
    private func clean() throws {
        try db.execute("VACUUM")
        let isBusy = try db.first("PRAGMA wal_checkpoint(TRUNCATE)")?[0].integer != 0
        if isBusy { throw JournalError("another process reads \(path), so its log still has removed data: try again") }
    }

    private mutating func forgetEvents(_ selection: ForgetSelection) throws -> UInt64 {
        var removed: UInt64 = 0
        for row in try db.all("SELECT first, last, time, counts FROM blocks ORDER BY first") {
            guard let first = row[0].bits, let last = row[1].bits, let time = row[2].integer,
                selection.takes(recorded: Timestamp(nanoseconds: time * 1_000_000_000))
            else { continue }
            let bytes =
                selection.isOnlyByTime ? nil : try db.first("SELECT bytes FROM blocks WHERE first = ?", [row[0]])
            // Nobody can read a damaged block, which is removed whole.
            let records = bytes?[0].blob.flatMap { RecordBlock.decode($0[...]) } ?? []
            let kept = records.filter {
                !selection.takes(pipeline: $0.pipeline, detector: $0.event.detector, track: $0.event.track)
            }
            guard records.isEmpty || kept.count < records.count else { continue }
            removed += records.isEmpty ? last + 1 - first : UInt64(records.count - kept.count)
            try db.run("DELETE FROM blocks WHERE first = ?", [row[0]])
            let counts = row[3].blob.flatMap(EventCounts.init(bytes:))
            try replace(first...last, counts, by: kept, of: records, at: time)
        }
        try dropHolesAtStart()
        return removed
    }

    /// Stores the kept records of a removed block, and a hole for each stretch between them.
    private func replace(
        _ sequences: ClosedRange<UInt64>, _ counts: EventCounts?, by kept: [ArchivedRecord],
        of records: [ArchivedRecord],
        at time: Int64
    ) throws {
        func hole(_ range: Range<UInt64>) throws {
            guard !range.isEmpty else { return }
            var lost = EventCounts()
            for record in records where range.contains(record.sequence) { lost[record.event.kind] += 1 }
            try insertHole(range.lowerBound...(range.upperBound - 1), records.isEmpty ? counts : lost)
        }
        var expected = sequences.lowerBound
        var rest = kept[...]
        while !rest.isEmpty {
            let block = Self.takeBlock(&rest)
            guard let first = block.first?.sequence, let last = block.last?.sequence else { break }
            try hole(expected..<first)
            try insertBlock(block, at: time)
            expected = last + 1
        }
        try hole(expected..<(sequences.upperBound + 1))
    }

    /// Missing numbers before the first block are not part of the journal.
    private mutating func dropHolesAtStart() throws {
        guard let start = try JournalRetention.first(db) else {
            try db.execute("DELETE FROM holes")
            (first, evicted) = (end, counts)
            return
        }
        first = start
        for row in try db.all("DELETE FROM holes WHERE last < ? RETURNING counts", [DatabaseValue(bits: start)]) {
            let counts = row[0].blob.flatMap(EventCounts.init(bytes:))
            evicted = evicted.flatMap { evicted in counts.map { evicted + $0 } }
        }
    }

    /// - Returns: the picture of each removed entry.
    private static func forgetHistory(_ selection: ForgetSelection, _ db: Database) throws -> [String?] {
        var conditions = ["1"]
        var values: [DatabaseValue] = []
        func require(_ condition: String, _ value: DatabaseValue?) {
            guard let value else { return }
            conditions.append(condition)
            values.append(value)
        }
        require("pipeline = ?", selection.pipeline.map(DatabaseValue.text))
        require("detector = ?", selection.detector.map(DatabaseValue.text))
        require("track = ?", selection.track.map { .text(String($0)) })
        // The database stores whole seconds.
        require("recorded < ?", selection.before.map { .integer(($0.nanoseconds + 999_999_999) / 1_000_000_000) })
        let condition = conditions.joined(separator: " AND ")
        // The stays of completed tracks leave with their entries. Those of live tracks have none.
        try db.run("DELETE FROM stays WHERE \(condition)", values)
        return try db.all("DELETE FROM history WHERE \(condition) RETURNING picture", values).map { $0[0].text }
    }
}

extension JournalWriter {
    /// Removes data from the open database.
    mutating func forget(_ selection: ForgetSelection) throws -> (events: UInt64, history: Int) {
        guard database != nil else { throw JournalError("the journal on disk is not open: try again") }
        return try database?.forget(selection) ?? (0, 0)
    }

    /// Takes the folder's lock, removes data of a daemon that does not run, and closes the files.
    ///
    /// - Throws: `JournalError` if a daemon runs on this folder.
    mutating func forgetStopped(_ selection: ForgetSelection) throws -> (events: UInt64, history: Int) {
        defer { close() }
        let run = try recover()
        let removed = try forget(selection)
        if let run {
            // The old file can contain lines.
            let tail = try SequenceTail(
                path: "\(folder)/journal.tail", runID: run.runID, next: run.nextSequence, counts: run.counts)
            tail.close()
        }
        return removed
    }
}

extension DiskJournal {
    /// Removes stored events and history, after a commit of all pending events.
    ///
    /// - Parameter done: called once on another thread, with the error or the numbers of removed events and entries.
    package func forget(
        _ selection: ForgetSelection,
        _ done: @escaping @Sendable (Result<(events: UInt64, history: Int), JournalError>) -> Void
    ) {
        reading.async { [self] in
            // A connection that reads would keep the write-ahead log.
            reader.withLock { $0 = nil }
            let result: Result<(events: UInt64, history: Int), JournalError> = queue.sync {
                commit()
                do {
                    let removed = try writer.withLock { writer in try writer.forget(selection) }
                    contentsChanged()
                    return .success(removed)
                } catch {
                    contentsChanged()
                    return .failure(error as? JournalError ?? JournalError("the journal on disk: \(error)"))
                }
            }
            done(result)
        }
    }

    /// Removes data from the folder of a daemon that does not run.
    package static func forgetStopped(
        _ selection: ForgetSelection, folder: String, limits: JournalLimits, logger: Logger
    ) throws(JournalError) -> (events: UInt64, history: Int) {
        guard access(databasePath(folder), F_OK) == 0 else { return (0, 0) }
        var writer = JournalWriter(folder: folder, limits: limits, logger: logger)
        do {
            return try writer.forgetStopped(selection)
        } catch {
            throw error as? JournalError ?? JournalError("the journal on disk: \(error)")
        }
    }
}
