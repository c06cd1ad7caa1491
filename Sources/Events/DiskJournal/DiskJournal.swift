// SPDX-License-Identifier: Apache-2.0
import Dispatch
import EventLog
import Glibc
import Logging
import SQLite
import Synchronization

/// The journal on disk: the daemon's events, kept across restarts and power cuts.
///
/// The event loop writes the sequence number of each event to a small file (`SequenceTail`) before any subscriber
/// receives the event. Then it hands the event to a writer, which commits the pending events every `sync`. The only
/// work on the event loop is that write of some hundred bytes into the page cache.
///
/// If the disk fails, the daemon goes on without the journal. The missed events become one hole in the journal, with
/// their sequence numbers.
package final class DiskJournal: Sendable {
    /// The state of the journal, for `status`.
    package struct Report: Sendable, Equatable {
        /// The reason why the journal cannot write; nil while it writes.
        package var error: String?
        package var archive: Archive?
        /// The size of the database in bytes.
        package var bytes = 0
        /// The time at which the oldest event was stored, in seconds since the Unix epoch; nil without events.
        package var oldest: Int64?
        /// The number of events not on disk because the disk failed or was too slow.
        package var dropped: UInt64 = 0
    }

    /// The receiver of changes on disk. It is a struct because a `Mutex` of a closure wraps the closure once more at
    /// each access, permanently (Swift 6.3).
    private struct Follower: Sendable {
        var changed: @Sendable (Archive) -> Void = { _ in }
    }

    /// The highest number of bytes that wait for the disk.
    static let handOffBytes = 8 << 20
    /// The delay before a failed disk is tried again.
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
    /// The event counts up to the newest event handed over.
    let handed = Mutex(EventCounts())
    let reader = Mutex<Database?>(nil)
    private let closing = Atomic(false)
    /// Whether the disk has recovered, so that a missing sequence file must be created.
    let isTailDue = Atomic(false)

    /// Opens or creates the journal in `folder`. If that fails, the journal tries again later, with the run that the
    /// daemon begins meanwhile.
    ///
    /// - Parameters:
    ///   - sync: the longest time until an event is committed.
    ///   - opened: receives the run of an earlier daemon to continue; nil if there is no such run.
    package init(
        folder: String, limits: JournalLimits, sync: Duration, logger: Logger, opened: inout RunState?
    ) {
        self.folder = folder
        self.limits = limits
        self.logger = logger
        self.sync = sync
        // A write beyond a file size limit becomes an error and does not end the daemon.
        signal(SIGXFSZ, SIG_IGN)
        writer = Mutex(JournalWriter(folder: folder, limits: limits, logger: logger))
        do {
            opened = try writer.withLock { writer in try writer.recover() }
        } catch {
            failed("\(error)")
        }
    }

    package static func databasePath(_ folder: String) -> String { "\(folder)/journal.sqlite" }

    /// Begins to follow a log: the log that continues the opened run, or a new one.
    ///
    /// - Parameter archive: called on any thread after each change of the contents on disk.
    package func begin(_ log: EventLog, archive changed: @escaping @Sendable (Archive) -> Void) {
        follower.withLock { $0.changed = changed }
        handed.withLock { $0 = log.counts }
        let (runID, next, counts) = (log.runID, log.journal.nextSequence, log.counts)
        writer.withLock { $0.run = .init(id: runID, next: next, counts: counts) }
        do {
            let file = try SequenceTail(path: tailPath, runID: runID, next: next, counts: counts)
            tail.withLock { $0 = file }
        } catch {
            // The statements of an older file about this run would be wrong.
            unlink(tailPath)
            failed(error.description)
        }
        commit()
    }

    var tailPath: String { "\(folder)/journal.tail" }

    package var status: Report { report.withLock { $0 } }

    // MARK: Effects

    /// Schedules a commit that finishes `sync` from now, or at once if many bytes are pending.
    func schedule(isMuch: Bool) {
        switch handOff.withLock({ $0.schedule(isMuch: isMuch) }) {
        case .some(.atOnce): queue.async { self.commit(.atOnce) }
        case .some:
            let wait = margin.withLock { $0.wait(sync) }
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1)))) { self.commit(.inTime) }
        case nil: break
        }
    }

    /// Commits the pending events. Runs on the journal's queue, or before any event is handed over.
    ///
    /// - Parameter trigger: the schedule that caused the commit.
    func commit(_ trigger: HandOff.CommitTrigger = []) {
        let batch = handOff.withLock { $0.take(trigger) }
        do {
            let start = ContinuousClock.now
            let (archive, bytes, oldest) = try writer.withLock { writer in
                try writer.commit(batch)
                return (writer.archive, writer.bytes, writer.oldest)
            }
            margin.withLock { $0.note(.now - start) }
            succeeded(archive, bytes, oldest)
        } catch {
            handOff.withLock { $0.failed(batch) }
            failed("\(error)")
            guard !closing.load(ordering: .relaxed), handOff.withLock({ $0.scheduleRetry() }) else { return }
            queue.asyncAfter(deadline: .now() + Self.retry) { self.commit(.retry) }
        }
    }

    /// Reports the contents on disk after a removal.
    func contentsChanged() {
        let (archive, bytes, oldest) = writer.withLock { ($0.archive, $0.bytes, $0.oldest) }
        guard archive != nil else { return }
        succeeded(archive, bytes, oldest)
    }

    private func succeeded(_ archive: Archive?, _ bytes: Int, _ oldest: Int64?) {
        let dropped = handOff.withLock(\.dropped)
        let wasFailing = report.withLock { report in
            defer { report = Report(error: nil, archive: archive, bytes: bytes, oldest: oldest, dropped: dropped) }
            return report.error != nil
        }
        if wasFailing {
            isTailDue.store(true, ordering: .relaxed)
            logger.notice("the journal on disk works again; it lacks \(dropped) events of this start")
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
        logger.warning("the journal on disk in \(folder) failed; events continue without it: \(error)")
        if var archive {
            archive.isWriting = false
            follower.withLock(\.changed)(archive)
        }
    }

    /// Commits the pending events and closes the files.
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
