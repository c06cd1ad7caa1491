// SPDX-License-Identifier: Apache-2.0
import EventLog
import SQLite
import Synchronization

/// The event loop's side of the journal on disk.
extension DiskJournal: StreamSink {
    /// Records the sequence numbers and hands the events over. Attach this sink before any sink that delivers events.
    package func eventsRecorded(_ sequences: Range<UInt64>, in log: EventLog) {
        let first = max(sequences.lowerBound, log.journal.firstSequence)
        let records = (first..<sequences.upperBound).map(log.archived)
        note(records, log)
        let isMuch = handOff.withLock { handOff in
            if first > sequences.lowerBound {
                let before = handed.withLock { log.counts(upTo: first).since($0) }
                handOff.append(HandOff.Loss(sequences: sequences.lowerBound...(first - 1), counts: before))
            }
            for record in records { handOff.append(record) }
            handOff.counted(log.counts)
            return handOff.bytes > limits.batchBytes
        }
        handed.withLock { $0 = log.counts }
        schedule(isMuch: isMuch)
    }

    private func note(_ records: [ArchivedRecord], _ log: EventLog) {
        tail.withLock { tail in
            let (next, counts) = (log.journal.nextSequence, log.counts)
            guard var file = tail else {
                tail = madeAnew(log)
                return
            }
            let told = records.filter { $0.event.kind != .update }
            if let archive = log.archive, archive.isWriting, file.bytes > SequenceTail.rewriteBytes {
                try? file.rewrite(next: next, counts: counts, records: Self.uncommitted(log, archive))
            } else if !file.write(next: next, counts: counts, records: told) {
                // Without a recorded number, no later daemon may continue this run.
                file.abandon()
                tail = nil
                logger.warning("cannot record sequence numbers in \(folder): the next start will skip some numbers")
                return
            }
            tail = file
        }
    }

    /// Creates the sequence file after the disk has recovered. Without the file, the next start would have to skip all
    /// numbers that may have been used.
    private func madeAnew(_ log: EventLog) -> SequenceTail? {
        guard let archive = status.archive, archive.isWriting, isTailDue.exchange(false, ordering: .relaxed) else {
            return nil
        }
        return try? SequenceTail(
            path: tailPath, runID: log.runID, next: log.journal.nextSequence, counts: log.counts,
            records: Self.uncommitted(log, archive))
    }

    /// Removes committed lines from the sequence file.
    package func dropCommittedLines(_ log: EventLog) throws(JournalError) {
        guard let archive = status.archive, archive.isWriting else { return }
        let problem = tail.withLock { tail -> JournalError? in
            guard var file = tail else { return nil }
            defer { tail = file }
            do throws(JournalError) {
                try file.rewrite(
                    next: log.journal.nextSequence, counts: log.counts, records: Self.uncommitted(log, archive))
                return nil
            } catch {
                return error
            }
        }
        if let problem { throw problem }
    }

    private static func uncommitted(_ log: EventLog, _ archive: Archive) -> [ArchivedRecord] {
        (max(archive.end, log.journal.firstSequence)..<log.journal.nextSequence)
            .filter { log.journal[$0].header.kind != .update }.map(log.archived)
    }
}

extension EventLog {
    /// An event in memory as the disk stores it.
    fileprivate func archived(_ sequence: UInt64) -> ArchivedRecord {
        ArchivedRecord(
            sequence: sequence, pipeline: journal[sequence].pipeline.map(name), event: journal.event(sequence))
    }
}

extension DiskJournal: ArchiveReader {
    package func read(from sequence: UInt64, bytes: Int, _ done: @escaping @Sendable (ArchivePage) -> Void) {
        reading.async { [self] in
            // Commit the pending events first, because the reader asks for them.
            if sequence >= report.withLock({ $0.archive?.end ?? 0 }) { queue.sync { commit() } }
            done(page(from: sequence, bytes: bytes) ?? ArchivePage(sequences: sequence..<sequence))
        }
    }

    private func page(from sequence: UInt64, bytes: Int) -> ArchivePage? {
        do {
            return try reader.withLock { reader in
                let database = try reader ?? ReadOnlyDatabase.open(Self.databasePath(folder))
                reader = database
                return try database.transaction(.reading) {
                    try ArchiveReading.page(database, from: sequence, bytes: bytes)
                }
            }
        } catch {
            logger.warning("cannot read the journal on disk: \(error)")
            reader.withLock { $0 = nil }
            return nil
        }
    }
}
