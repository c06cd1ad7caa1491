import Dispatch
import EventLog
import GRDB
import Glibc
import Logging
import Synchronization

/// The journal on disk: what the daemon says, kept over its restarts, and its power cuts.
///
/// The event loop notes the number of each event in a small file (`SequenceTail`) before anybody sees it, and hands the event itself to a
/// writer of its own, which commits what has gathered every `sync`. Nothing here holds up the event loop but that write of some hundred
/// bytes into the page cache. A disk that fails costs the journal: what it misses is one hole in it, with its numbers.
package final class DiskJournal: Sendable {
    /// How it is, for `status`.
    package struct Report: Sendable, Equatable {
        /// What hinders it; nil while it writes.
        package var error: String?
        package var archive: Archive?
        /// Bytes of the database.
        package var bytes = 0
        /// Events that are not on disk because it failed or was too slow.
        package var dropped: UInt64 = 0
    }

    /// Told what is on disk. A value of its own: a `Mutex` of a function wraps it once more each time that it is looked at, for good (Swift 6.3).
    private struct Follower: Sendable {
        var changed: @Sendable (Archive) -> Void = { _ in }
    }

    /// Bytes that may wait for the disk.
    static let handOffBytes = 8 << 20
    /// A disk that failed is tried again after this.
    static let retry = DispatchTimeInterval.seconds(1)

    let folder: String
    let limits: JournalLimits
    let logger: Logger
    private let sync: Duration
    private let margin = Mutex(CommitMargin())
    let queue = DispatchQueue(label: "glimpsed.journal")
    let reading = DispatchQueue(label: "glimpsed.journal.read")
    let handOff = Mutex(HandOff(limit: DiskJournal.handOffBytes))
    let writer: Mutex<JournalWriter>
    let tail = Mutex<SequenceTail?>(nil)
    let report = Mutex(Report())
    private let follower = Mutex(Follower())
    /// What was counted up to the newest event that was handed over.
    let handed = Mutex(EventCounts())
    let reader = Mutex<DatabaseQueue?>(nil)
    private let closing = Atomic(false)
    /// The disk works again, and the file of numbers is to be made if there is none.
    let isTailDue = Atomic(false)

    /// Opens the journal in `folder`, or makes one. Without one that can be used it is tried again, for the run that is begun meanwhile.
    ///
    /// - Parameters:
    ///   - sync: the longest that an event waits to be committed.
    ///   - opened: what a daemon before this one left, to go on with; nil when there is nothing.
    package init(
        folder: String, limits: JournalLimits, sync: Duration, logger: Logger, opened: inout RunState?
    ) {
        self.folder = folder
        self.limits = limits
        self.logger = logger
        self.sync = sync
        // A write beyond a limit on a file's size is an error, not the end of the daemon.
        signal(SIGXFSZ, SIG_IGN)
        writer = Mutex(JournalWriter(folder: folder, limits: limits, logger: logger))
        do {
            opened = try writer.withLock { writer in try writer.recover() }
        } catch {
            failed(error.reason)
        }
    }

    package static func databasePath(_ folder: String) -> String { "\(folder)/journal.sqlite" }

    /// Begins to follow a log: the one that goes on with what was opened, or another.
    ///
    /// - Parameter archive: called with what is on disk after each change of it, on any thread.
    package func begin(_ log: EventLog, archive changed: @escaping @Sendable (Archive) -> Void) {
        follower.withLock { $0.changed = changed }
        handed.withLock { $0 = log.counts }
        let (runID, next, counts) = (log.runID, log.journal.nextSequence, log.counts)
        writer.withLock { $0.run = .init(id: runID, next: next, counts: counts) }
        do {
            let file = try SequenceTail(path: tailPath, runID: runID, next: next, counts: counts)
            tail.withLock { $0 = file }
        } catch {
            // What an older one says of this run would be wrong.
            unlink(tailPath)
            failed(error.description)
        }
        commit()
    }

    var tailPath: String { "\(folder)/journal.tail" }

    package var status: Report { report.withLock { $0 } }

    // MARK: Effects

    /// Commits so that it is done `sync` from now; at once when much has gathered.
    func schedule(isMuch: Bool) {
        switch handOff.withLock({ $0.schedule(isMuch: isMuch) }) {
        case .some(.atOnce): queue.async { self.commit(.atOnce) }
        case .some:
            let wait = margin.withLock { $0.wait(sync) }
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1)))) { self.commit(.inTime) }
        case nil: break
        }
    }

    /// On the journal's queue, or before anything is handed over.
    ///
    /// - Parameter trigger: what it was scheduled as.
    func commit(_ trigger: HandOff.CommitTrigger = []) {
        let batch = handOff.withLock { $0.take(trigger) }
        do {
            let start = ContinuousClock.now
            let (archive, bytes) = try writer.withLock { writer in
                try writer.commit(batch)
                return (writer.archive, writer.bytes)
            }
            margin.withLock { $0.note(.now - start) }
            succeeded(archive, bytes)
        } catch {
            handOff.withLock { $0.failed(batch) }
            failed(error.reason)
            guard !closing.load(ordering: .relaxed), handOff.withLock({ $0.scheduleRetry() }) else { return }
            queue.asyncAfter(deadline: .now() + Self.retry) { self.commit(.retry) }
        }
    }

    private func succeeded(_ archive: Archive?, _ bytes: Int) {
        let dropped = handOff.withLock(\.dropped)
        let wasFailing = report.withLock { report in
            defer { report = Report(error: nil, archive: archive, bytes: bytes, dropped: dropped) }
            return report.error != nil
        }
        if wasFailing {
            isTailDue.store(true, ordering: .relaxed)
            logger.notice("the journal on disk works again; it misses \(dropped) events of this start")
        }
        if let archive { follower.withLock(\.changed)(archive) }
    }

    private func failed(_ error: String) {
        let dropped = handOff.withLock(\.dropped)
        let (wasFailing, archive) = report.withLock { report in
            defer {
                report.error = error
                report.dropped = dropped
                report.archive?.isWriting = false
            }
            return (report.error != nil, report.archive)
        }
        guard !wasFailing else { return }
        logger.warning("the journal on disk in \(folder) fails, and events go on without it: \(error)")
        if var archive {
            archive.isWriting = false
            follower.withLock(\.changed)(archive)
        }
    }

    /// Commits what is left and closes the files.
    package func close() {
        closing.store(true, ordering: .relaxed)
        reading.sync { reader.withLock { $0 = nil } }
        queue.sync {
            commit()
            writer.withLock { $0.close() }
        }
        tail.withLock { tail in
            tail?.close()
            tail = nil
        }
    }
}
