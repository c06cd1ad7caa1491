// SPDX-License-Identifier: Apache-2.0
import Observations

/// The events that a subscriber receives from disk.
extension Subscriber {
    /// Takes the page that the subscriber waited for.
    package mutating func fetched(_ page: ArchivePage) {
        isFetching = false
        // A request may have moved the cursor meanwhile.
        if !isClosed, page.sequences.lowerBound == cursor { self.page = page }
    }

    /// Takes a page from disk: sends its lines, and a `gap` line for each missing stretch.
    mutating func take(_ page: ArchivePage, _ log: EventLog, at moment: Moment, steps: inout Int) -> [Action] {
        var bytes: [UInt8] = []
        let reason: GapReason = cursor < replayEnd ? .journal : .slow
        var run: [WantedLine] = []
        func send() -> [UInt8] {
            defer { run.removeAll() }
            // Coalesces if the whole memory journal lies between the page and the newest event.
            let coalesces = (run.first?.record.sequence ?? 0) >= replayEnd && log.journal.bytes > limits.queue
            return (coalesces ? coalesced(run) : run).flatMap { $0.bytes(log) }
        }
        for archived in page.records where archived.sequence >= cursor {
            if archived.sequence > cursor {
                bytes += send()
                skip(to: archived.sequence, page, reason, log, at: moment, to: &bytes)
            }
            let record = EventRecord(
                sequence: archived.sequence, pipeline: archived.pipeline.flatMap(log.index(ofPipeline:)),
                header: archived.event.header, offset: 0)
            guard take(record, archived: archived.event, log, into: &run, steps: &steps) else {
                return sent(bytes + send(), at: moment)
            }
            cursor = archived.sequence + 1
            passed?[archived.event.kind] += 1
        }
        bytes += send()
        self.page = nil
        // An empty page means that the disk cannot be read. The subscriber then continues with the memory journal.
        let end = page.sequences.isEmpty ? log.journal.firstSequence : page.sequences.upperBound
        if end > cursor { skip(to: end, page, reason, log, at: moment, to: &bytes) }
        if cursor >= log.journal.firstSequence { passed = log.counts(upTo: cursor) }
        return sent(bytes, at: moment)
    }

    private mutating func skip(
        to sequence: UInt64, _ page: ArchivePage, _ reason: GapReason, _ log: EventLog, at moment: Moment,
        to bytes: inout [UInt8]
    ) {
        let loss = page.losses[cursor].flatMap { $0.last == sequence - 1 ? $0.counts : nil }
        let reason = cursor < log.forgotten ? .forgotten : reason
        bytes += ConnectionLine.gap(cursor...(sequence - 1), lost: loss, reason: reason, time: moment.time)
        if let loss { passed? += loss } else { passed = nil }
        cursor = sequence
        forgetTracksOfGap(log)
    }
}
