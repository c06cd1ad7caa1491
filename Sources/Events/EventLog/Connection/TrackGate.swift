import EventLines

/// Decides line by line what a subscriber sees of each track: whether it is a track that it asked for, and which `update` and
/// `missing` lines its rate leaves out.
///
/// A track is let through as a whole, from the first of its `detected` and `update` lines for which the condition holds: everything after
/// that passes, whatever it says, up to `completed`. Where that line is an `update`, the life begins with it, as it does for a reader that
/// connects in the middle of one; nothing before it is sent later, and nothing is made up.
struct TrackGate: Sendable {
    enum Verdict: Equatable {
        case held
        /// - Parameter leftOut: how many lines of this track were left out since the last one that passed.
        case passes(leftOut: Int)
    }

    private struct Passage {
        /// When the next line passes, in nanoseconds of frame time; nil: whichever comes.
        var due: Int64?
        var isMissing = false
        var leftOut = 0
    }

    private let condition: TrackCondition
    /// Nanoseconds between two lines of a row of `update` or of `missing`; nil: all pass.
    private let interval: Int64?
    /// The tracks that are let through and not completed.
    private var passages: [TrackKey: Passage] = [:]

    init(_ filter: EventFilter) {
        condition = filter.track
        // A year is as good as never, and leaves room to add.
        interval = filter.updateRate.map { Int64(max(1, min(1e9 / $0, 3.2e16))) }
    }

    var tracks: Int { passages.count }

    func knows(_ key: TrackKey) -> Bool { passages[key] != nil }

    mutating func letThrough(_ key: TrackKey) {
        if passages[key] == nil { passages[key] = Passage() }
    }

    mutating func forget(where isGone: (TrackKey) -> Bool) {
        passages = passages.filter { !isGone($0.key) }
    }

    /// Takes the next line of the log that is of a wanted pipeline and kind.
    ///
    /// - Parameter steps: that looking at it may take; less those that it took.
    /// - Returns: nil when there are no more steps; then it has not been taken.
    mutating func judge(_ record: EventRecord, steps: inout Int) -> Verdict? {
        let event = record.event
        guard event.kind.isTrack || event.kind == .zone else { return .passes(leftOut: 0) }
        let key = record.trackKey
        if event.kind == .zone {
            let isLetThrough = condition.isEmpty || passages[key] != nil
            return isLetThrough && condition.wants(zoneOf: event) ? .passes(leftOut: 0) : .held
        }
        var passage: Passage
        if let known = passages[key] {
            passage = known
        } else {
            if !condition.isEmpty {
                guard event.kind == .detected || event.kind == .update else { return .held }
                guard let holds = condition.holds(for: event, steps: &steps) else { return nil }
                guard holds else { return .held }
            }
            passage = Passage()
        }
        var verdict = Verdict.passes(leftOut: 0)
        switch event.kind {
        case .update, .missing:
            // Without a rate a passage never changes.
            if interval == nil, passages[key] != nil { return verdict }
            // The first line of a row comes at once.
            let isMissing = event.kind == .missing
            if passage.isMissing != isMissing { (passage.isMissing, passage.due) = (isMissing, nil) }
            verdict = thin(event, &passage)
        case .completed:
            passages[key] = nil
            return verdict
        default: break
        }
        passages[key] = passage
        return verdict
    }

    private func thin(_ event: EncodedEvent, _ passage: inout Passage) -> Verdict {
        guard let interval, let time = TrackLine(event).presentationTime else { return .passes(leftOut: 0) }
        if let due = passage.due {
            let (late, isFar) = time.subtractingReportingOverflow(due)
            // Time that runs backwards starts anew.
            if !isFar, late < 0, late >= -interval {
                passage.leftOut += 1
                return .held
            }
            // A grid, so that the rate holds on average whatever the frame rate.
            let base = !isFar && late >= 0 && late < interval ? due : time
            passage.due = base.addingReportingOverflow(interval).partialValue
        } else {
            passage.due = time.addingReportingOverflow(interval).partialValue
        }
        defer { passage.leftOut = 0 }
        return .passes(leftOut: passage.leftOut)
    }
}
