extension Subscriber {
    /// Takes the next stretch of the log, from the cursor on.
    ///
    /// - Precondition: the cursor is in the journal.
    mutating func takeWindow(_ log: EventLog) -> [Action] {
        let journal = log.journal
        let lag = journal.bytes(from: cursor)
        let coalesces = lag > limits.queue
        let start = cursor
        let end =
            coalesces || lag > Self.windowBytes
            ? journal.end(ofWindowFrom: start, bytes: coalesces ? Self.coalescingWindowBytes : Self.windowBytes)
            : journal.nextSequence
        cursor = end
        if end == journal.nextSequence {
            passed = log.counts
        } else {
            for sequence in start..<end { passed?[journal[sequence].event.kind] += 1 }
        }
        if coalesces { return coalesced(start..<end, log) }
        if filter.isEverything { return [.sendRecords(start..<end)] }
        var runs = RecordRuns()
        for sequence in start..<end where wants(journal[sequence], log) { runs.append(sequence) }
        return runs.actions
    }

    private func wants(_ record: EventRecord, _ log: EventLog) -> Bool {
        filter.matches(record.event, pipeline: record.pipeline.map(log.name))
    }

    /// Leaves out each `update` whose track's next line in this stretch is an `update` too; the one that stays says for how many it
    /// stands. So the grammar of a track's life holds for a slow reader as well.
    private func coalesced(_ window: Range<UInt64>, _ log: EventLog) -> [Action] {
        let wanted = window.map { log.journal[$0] }.filter { wants($0, log) }
        var nextKind: [TrackKey: EncodedEvent.Kind] = [:]
        var superseded = Set<UInt64>()
        for record in wanted.reversed() where record.event.kind.isTrack {
            let next = nextKind.updateValue(record.event.kind, forKey: record.trackKey)
            if record.event.kind == .update, next == .update { superseded.insert(record.sequence) }
        }
        var runs = RecordRuns()
        var standsFor: [TrackKey: Int] = [:]
        for record in wanted {
            if superseded.contains(record.sequence) {
                standsFor[record.trackKey, default: 0] += 1
            } else if record.event.kind == .update, let count = standsFor.removeValue(forKey: record.trackKey) {
                runs.append(log.line(record), coalesced: count)
            } else {
                runs.append(record.sequence)
            }
        }
        return runs.actions
    }
}

/// Joins neighbouring records, so that what is shared is written in few pieces.
private struct RecordRuns {
    private(set) var actions: [Subscriber.Action] = []

    mutating func append(_ sequence: UInt64) {
        if case .sendRecords(let run) = actions.last, run.upperBound == sequence {
            actions[actions.count - 1] = .sendRecords(run.lowerBound..<(sequence + 1))
        } else {
            actions.append(.sendRecords(sequence..<(sequence + 1)))
        }
    }

    /// - Parameter line: ends with `}` and a newline.
    mutating func append(_ line: [UInt8], coalesced count: Int) {
        actions.append(.send(line.dropLast(2) + Array(#","coalesced":\#(count)}"#.utf8) + [UInt8(ascii: "\n")]))
    }
}

extension Journal {
    /// Where a stretch of about `bytes` bytes ends that starts with record `start`; at least one record long.
    fileprivate func end(ofWindowFrom start: UInt64, bytes: Int) -> UInt64 {
        let limit = self[start].offset + UInt64(bytes)
        var end = start + 1
        while end < nextSequence, self[end].offset < limit { end += 1 }
        return end
    }
}
