// SPDX-License-Identifier: Apache-2.0
import EventLog
import Glibc
import Logging
import SQLite

/// Opens and writes the database, and replaces an unusable one. Only one thread at a time may use it.
struct JournalWriter {
    /// The run in progress.
    struct Run: Sendable {
        var id: String
        /// The next number and the event counts with which this process began the run.
        var next: UInt64
        var counts: EventCounts
    }

    let folder: String
    private let limits: JournalLimits
    private let logger: Logger
    private let lock: FolderLock
    var database: JournalDatabase?
    var run: Run?
    private var isClosed = false

    init(folder: String, limits: JournalLimits, logger: Logger) {
        self.folder = folder
        self.limits = limits
        self.logger = logger
        lock = FolderLock(folder: folder)
    }

    var archive: Archive? { database?.archive }
    var bytes: Int { database?.bytes ?? 0 }
    var oldest: Int64? { database?.oldest }

    mutating func close() {
        isClosed = true
        database?.close()
        database = nil
        lock.release()
    }

    // MARK: Before a run

    /// Opens the database and adds the events that the previous daemon could not commit.
    ///
    /// - Returns: the state for continuing its run; nil if there is no run.
    mutating func recover() throws -> RunState? {
        var database = try open()
        self.database = database
        guard !database.runID.isEmpty else { return nil }
        let file = (try? BoundedBytes.read("\(folder)/journal.tail", limit: 2 * SequenceTail.maximumBytes)) ?? []
        let remains = SequenceTail.read(file).flatMap { $0.runID == database.runID ? $0 : nil }
        let recovery = Recovery(
            end: database.end, counts: database.counts, lease: database.leased, remains: remains,
            bootID: SequenceTail.currentBootID)
        for batch in recovery.batches { try database.commit(batch) }
        if recovery.isUnclean {
            logger.notice(
                "the last daemon did not stop cleanly: of the events up to \(recovery.next - 1), \(recovery.lost) are lost"
            )
        }
        self.database = database
        return RunState(
            runID: database.runID, nextSequence: recovery.next, counts: database.counts,
            pipelines: database.live.state(try database.lines(database.live.sequences)), archive: database.archive)
    }

    // MARK: In a run

    /// - Throws: if the batch is not on disk; a batch is stored completely or not at all.
    mutating func commit(_ batch: HandOff.Batch) throws {
        guard !isClosed else { return }
        do {
            try openForRun(batch)
            guard !batch.isEmpty else { return }
            try database?.commit(batch)
        } catch let error as DatabaseError where error.isCorrupt {
            database?.close()
            database = nil
            try moveDamagedAside(error)
            try openForRun(batch)
            try database?.commit(batch)
        }
    }

    /// Opens the database for the run. A run that began without the database is recorded from here on.
    private mutating func openForRun(_ batch: HandOff.Batch) throws {
        guard let run else { return }
        if database == nil { database = try open() }
        if let known = database?.runID, known != run.id {
            let next = batch.first ?? run.next
            try database?.begin(run: run.id, next: next, counts: next == run.next ? run.counts : nil)
        }
    }

    // MARK: Files

    private func open() throws -> JournalDatabase {
        try lock.take()
        let path = DiskJournal.databasePath(folder)
        do {
            return try JournalDatabase(path: path, limits: limits)
        } catch let error as NewerJournal {
            let aside = try moveAside("journal.version\(error.version).sqlite")
            logger.warning(
                "the journal on disk is of a newer glimpsed (version \(error.version), supported \(error.known)): moved to \(aside), starting a new journal"
            )
            return try JournalDatabase(path: path, limits: limits)
        } catch let error as DatabaseError where error.isCorrupt {
            try moveDamagedAside(error)
            return try JournalDatabase(path: path, limits: limits)
        }
    }

    private func moveDamagedAside(_ error: DatabaseError) throws {
        let aside = try moveAside("journal.damaged.sqlite")
        logger.warning("the journal on disk was damaged (\(error)): moved to \(aside), starting a new journal")
    }

    /// Moves an unusable database aside for inspection. At most one file of each name is kept.
    ///
    /// - Returns: the new path.
    private func moveAside(_ name: String) throws -> String {
        let (path, aside) = (DiskJournal.databasePath(folder), "\(folder)/\(name)")
        for suffix in ["", "-wal", "-shm"] {
            unlink(aside + suffix)
            guard rename(path + suffix, aside + suffix) == 0 || errno == ENOENT else {
                throw JournalError("cannot move \(path) aside: \(words(errno))")
            }
        }
        return aside
    }
}
