import Observations

/// What a subscriber gets from disk.
extension Subscriber {
    /// What it waited for is there: its lines, and a `gap` for each stretch of it that is not.
    package mutating func fetched(_ page: ArchivePage, _ log: EventLog, at moment: Moment) -> [Action] {
        isFetching = false
        // A request has moved the cursor meanwhile.
        guard !isClosed, page.sequences.lowerBound == cursor else { return [] }
        var bytes: [UInt8] = []
        let reason = gapReason
        var run: [EventRecord] = []
        for archived in page.records where archived.sequence >= cursor {
            if archived.sequence > cursor {
                send(&run, log, to: &bytes)
                skip(to: archived.sequence, page, reason, log, at: moment, to: &bytes)
            }
            run.append(
                EventRecord(
                    sequence: archived.sequence, pipeline: archived.pipeline.flatMap(log.index(ofPipeline:)),
                    event: archived.event, offset: 0))
            cursor = archived.sequence + 1
            passed?[archived.event.kind] += 1
        }
        send(&run, log, to: &bytes)
        // Of an empty page nothing can be read, and memory is where it goes on.
        let end = page.sequences.isEmpty ? log.journal.firstSequence : page.sequences.upperBound
        if end > cursor { skip(to: end, page, reason, log, at: moment, to: &bytes) }
        if cursor >= log.journal.firstSequence { passed = log.counts(upTo: cursor) }
        guard !bytes.isEmpty else { return [] }
        lastSent = moment.instant
        return [.send(bytes)]
    }

    private mutating func send(_ run: inout [EventRecord], _ log: EventLog, to bytes: inout [UInt8]) {
        guard let first = run.first else { return }
        // All of the memory lies between it and the newest event.
        let coalesces = first.sequence >= replayEnd && log.journal.bytes > limits.queue
        let wanted = take(run, log)
        for line in coalesces ? coalesced(wanted) : wanted { bytes += line.bytes(log) }
        run.removeAll()
    }

    private mutating func skip(
        to sequence: UInt64, _ page: ArchivePage, _ reason: GapReason, _ log: EventLog, at moment: Moment,
        to bytes: inout [UInt8]
    ) {
        let loss = page.losses[cursor].flatMap { $0.last == sequence - 1 ? $0.counts : nil }
        bytes += ConnectionLine.gap(cursor...(sequence - 1), lost: loss, reason: reason, time: moment.time)
        if let loss { passed? += loss } else { passed = nil }
        cursor = sequence
        forgetTracksOfGap(log)
    }
}
