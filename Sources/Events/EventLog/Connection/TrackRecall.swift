/// Makes a gate what it would be, had its filter been there all the time, as far as memory and the limit go: a reader that comes back to a
/// track sees the rest of it. In turns, as it looks at thousands of lines.
struct TrackRecall: Sendable {
    /// Lines that are looked at: of tracks for which the condition does not hold, and of tracks that have ended.
    private static let lines = 4096

    /// Lines from here on have been looked at.
    private var looked: UInt64
    private var ended = Set<TrackKey>()
    private var looks = 0

    /// - Parameter cursor: the first line that the filter is for.
    init(before cursor: UInt64) { looked = cursor }

    /// - Parameter steps: that it may take; less those that it took.
    /// - Returns: whether it is done; otherwise there are no more steps.
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

    /// - Returns: false when there are no more steps; then nothing has changed.
    private mutating func look(
        at record: EventRecord, _ log: EventLog, _ filter: EventFilter, _ gate: inout TrackGate, _ steps: inout Int
    ) -> Bool {
        steps -= WorkBudget.stepsOfPassing
        guard record.event.kind.isTrack, filter.concerns(record.event, pipeline: record.pipeline, log) else {
            return true
        }
        let key = record.trackKey
        switch record.event.kind {
        case .completed:
            ended.insert(key)
            looks += 1
        case .detected, .update:
            if ended.contains(key) || gate.knows(key) { return true }
            steps -= WorkBudget.stepsOfReading(record.event.body.count)
            guard let holds = filter.track.holds(for: record.event, steps: &steps) else { return false }
            if holds { gate.letThrough(key) }
            looks += 1
        default: break
        }
        return true
    }
}
