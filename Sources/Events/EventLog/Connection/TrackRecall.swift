// SPDX-License-Identifier: Apache-2.0
/// Rebuilds the state that a gate would have if its filter had always been active, as far as the memory journal and the
/// limit allow. So a subscriber that reconnects during a track receives the rest of that track. The recall runs in
/// turns, because it examines thousands of lines.
struct TrackRecall: Sendable {
    /// The highest number of lines examined: lines of tracks that do not meet the condition, and of tracks that have
    /// ended.
    private static let lines = 4096

    /// Lines from this sequence number on have been examined.
    private var looked: UInt64
    private var ended = Set<TrackKey>()
    private var looks = 0

    /// - Parameter cursor: the first line to which the filter applies.
    init(before cursor: UInt64) { looked = cursor }

    /// - Parameter steps: the steps available, reduced by the steps used.
    /// - Returns: whether the recall is finished; if false, the steps are used up.
    mutating func goOn(
        _ log: EventLog, _ filter: EventFilter, _ gate: inout TrackGate, steps: inout Int
    ) -> Bool {
        while looked > log.journal.firstSequence, looks < Self.lines {
            guard steps > 0 else { return false }
            guard look(at: log.journal[looked - 1], log, filter, &gate, &steps) else { return false }
            looked -= 1
        }
        return true
    }

    /// - Returns: false if the steps are used up; nothing has changed then.
    private mutating func look(
        at record: EventRecord, _ log: EventLog, _ filter: EventFilter, _ gate: inout TrackGate, _ steps: inout Int
    ) -> Bool {
        steps -= WorkBudget.stepsOfPassing
        guard record.header.kind.isTrack, filter.concerns(record.header, pipeline: record.pipeline, log) else {
            return true
        }
        let key = record.trackKey
        switch record.header.kind {
        case .completed:
            ended.insert(key)
            looks += 1
        case .detected, .update:
            if ended.contains(key) || gate.knows(key) { return true }
            let event = log.journal.event(record.sequence)
            steps -= WorkBudget.stepsOfReading(event.body.count)
            guard let holds = filter.track.holds(for: event, steps: &steps) else { return false }
            if holds { gate.letThrough(key) }
            looks += 1
        default: break
        }
        return true
    }
}
