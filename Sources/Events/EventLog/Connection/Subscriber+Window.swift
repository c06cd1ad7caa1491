// SPDX-License-Identifier: Apache-2.0
import EventLines

extension Subscriber {
    /// Takes the next stretch of the log from the cursor on, as far as the steps suffice.
    ///
    /// - Precondition: the cursor is in the journal.
    mutating func takeWindow(_ log: EventLog, steps: inout Int) -> [Action] {
        let journal = log.journal
        let lag = journal.bytes(from: cursor)
        let coalesces = lag > limits.queue && cursor >= replayEnd
        let start = cursor
        let end =
            coalesces || lag > Self.windowBytes
            ? journal.end(ofWindowFrom: start, bytes: coalesces ? Self.coalescingWindowBytes : Self.windowBytes)
            : journal.nextSequence
        if !coalesces, filtersNothing {
            pass(to: end, log)
            return [.sendRecords(start..<end)]
        }
        var wanted: [WantedLine] = []
        let taken = (start..<end).first { !take(journal[$0], log, into: &wanted, steps: &steps) }
        pass(to: taken ?? end, log)
        var runs = RecordRuns()
        for line in coalesces ? coalesced(wanted) : wanted { runs.append(line, log) }
        return runs.actions
    }

    private mutating func pass(to end: UInt64, _ log: EventLog) {
        if end == log.journal.nextSequence {
            passed = log.counts
        } else {
            for sequence in cursor..<end { passed?[log.journal[sequence].header.kind] += 1 }
        }
        cursor = end
    }

    /// Takes the next line of the log, and adds it to `wanted` if the filter lets it pass.
    ///
    /// - Parameter archived: the record's event if it is from disk; nil if it is in the memory journal.
    /// - Returns: false if the steps are used up; the line is then not taken.
    mutating func take(
        _ record: EventRecord, archived: EncodedEvent? = nil, _ log: EventLog, into wanted: inout [WantedLine],
        steps: inout Int
    ) -> Bool {
        guard filter.concerns(record.header, pipeline: record.pipeline, log) else { return true }
        func event() -> EncodedEvent { archived ?? log.journal.event(record.sequence) }
        guard let verdict = gate == nil ? .passes(leftOut: 0) : gate?.judge(record, event, steps: &steps) else {
            return false
        }
        if case .passes(let leftOut) = verdict, filter.wants(record.header.kind) {
            let stages = filter.stages ? record.header.stages : nil
            wanted.append(WantedLine(record: record, archived: archived, stages: stages, standsFor: leftOut))
        }
        return true
    }

    /// Removes each `update` followed by another `update` of its track in this stretch. The remaining line
    /// reports the number of removed lines. So the grammar of a track's life also holds for a slow subscriber.
    func coalesced(_ wanted: [WantedLine]) -> [WantedLine] {
        var nextKind: [TrackKey: EncodedEvent.Kind] = [:]
        var superseded = Set<UInt64>()
        for record in wanted.reversed().map(\.record) where record.header.kind.isTrack {
            let next = nextKind.updateValue(record.header.kind, forKey: record.trackKey)
            if record.header.kind == .update, next == .update { superseded.insert(record.sequence) }
        }
        var kept: [WantedLine] = []
        var standsFor: [TrackKey: Int] = [:]
        for var line in wanted {
            if superseded.contains(line.record.sequence) {
                standsFor[line.record.trackKey, default: 0] += 1 + line.standsFor
            } else {
                if line.record.header.kind == .update {
                    line.standsFor += standsFor.removeValue(forKey: line.record.trackKey) ?? 0
                }
                kept.append(line)
            }
        }
        return kept
    }
}

/// A line that this subscriber receives.
struct WantedLine {
    var record: EventRecord
    /// The event if it is from disk; nil if it is in the memory journal.
    var archived: EncodedEvent?
    /// The stage times of the frame, if requested and known.
    var stages: StageTimes?
    /// The number of earlier updates of the track that this line replaces.
    var standsFor: Int

    /// The line for this subscriber alone, including the newline.
    func bytes(_ log: EventLog) -> [UInt8] {
        var line =
            archived?.line(sequence: record.sequence, runID: log.runID) ?? log.journal.line(record.sequence)
        guard !isEverybodys else { return line }
        // The line ends with } and a newline.
        line.removeLast()
        if let stages { line.replaceSubrange((line.count - 1)..., with: stages.ending) }
        if standsFor > 0 {
            line.replaceSubrange((line.count - 1)..., with: EncodedEvent.ending(standingFor: standsFor))
        }
        return line + [UInt8(ascii: "\n")]
    }

    /// Whether all subscribers receive an identical line.
    var isEverybodys: Bool { stages == nil && standsFor == 0 }
}

/// Joins neighbouring records into few actions, so that shared lines are written in few pieces.
private struct RecordRuns {
    private(set) var actions: [Subscriber.Action] = []

    mutating func append(_ line: WantedLine, _ log: EventLog) {
        guard !line.isEverybodys else { return append(line.record.sequence) }
        var lines: [UInt8] = []
        if case .send(let before) = actions.last {
            lines = before
            // Removed so that the array is uniquely referenced while it grows.
            actions.removeLast()
        }
        lines += line.bytes(log)
        actions.append(.send(lines))
    }

    private mutating func append(_ sequence: UInt64) {
        if case .sendRecords(let run) = actions.last, run.upperBound == sequence {
            actions[actions.count - 1] = .sendRecords(run.lowerBound..<(sequence + 1))
        } else {
            actions.append(.sendRecords(sequence..<(sequence + 1)))
        }
    }
}

extension Journal {
    /// The end of a stretch of about `bytes` bytes that starts with record `start`; at least one record.
    fileprivate func end(ofWindowFrom start: UInt64, bytes: Int) -> UInt64 {
        let limit = self[start].offset + UInt64(bytes)
        var end = start + 1
        while end < nextSequence, self[end].offset < limit { end += 1 }
        return end
    }
}
