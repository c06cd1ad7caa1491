// SPDX-License-Identifier: Apache-2.0
import EventLines

/// Decides line by line which lines of a track a subscriber receives. The gate tests whether the track is selected, and
/// whether an `update` or `missing` line exceeds the rate.
///
/// A track is selected as a whole, from the first `detected` or `update` line that meets the condition. All later lines
/// pass up to `completed`, independent of their content. If the first line is an `update`, the track begins with that
/// line, as for a subscriber that connects in the middle of a track.
///
/// Earlier lines are not sent later, and no line is invented.
struct TrackGate: Sendable {
    enum Verdict: Equatable {
        case held
        /// - Parameter leftOut: the number of this track's lines left out since the last one that passed.
        case passes(leftOut: Int)
    }

    private struct Passage {
        /// The frame time in nanoseconds from which on a line passes; nil lets the next line pass.
        var due: Int64?
        var isMissing = false
        var leftOut = 0
    }

    private let condition: TrackCondition
    /// The interval in nanoseconds between two `update` lines or two `missing` lines in a row; nil lets all lines pass.
    private let interval: Int64?
    /// The selected tracks that are not completed.
    private var passages: [TrackKey: Passage] = [:]

    init(_ filter: EventFilter) {
        condition = filter.track
        // The limit of one year is longer than any stream needs, and leaves room for additions.
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

    /// Takes the next line of the log whose pipeline and kind match.
    ///
    /// - Parameters:
    ///   - event: the record's event, which is read only if the verdict depends on its line.
    ///   - steps: the steps available for the condition, reduced by the steps used.
    /// - Returns: nil if the steps are used up; the line is then not taken.
    mutating func judge(_ record: EventRecord, _ event: () -> EncodedEvent, steps: inout Int) -> Verdict? {
        let kind = record.header.kind
        guard kind.isTrack || kind == .zone || kind == .line else { return .passes(leftOut: 0) }
        let key = record.trackKey
        if kind == .zone {
            let isLetThrough = condition.isEmpty || passages[key] != nil
            return isLetThrough && condition.wants(zoneOf: event()) ? .passes(leftOut: 0) : .held
        }
        if kind == .line {
            let isLetThrough = condition.isEmpty || passages[key] != nil
            return isLetThrough && condition.wants(crossing: event()) ? .passes(leftOut: 0) : .held
        }
        var passage: Passage
        if let known = passages[key] {
            passage = known
        } else {
            if !condition.isEmpty {
                guard kind == .detected || kind == .update else { return .held }
                guard let holds = condition.holds(for: event(), steps: &steps) else { return nil }
                guard holds else { return .held }
            }
            passage = Passage()
        }
        var verdict = Verdict.passes(leftOut: 0)
        switch kind {
        case .update, .missing:
            // Without a rate a passage never changes.
            if interval == nil, passages[key] != nil { return verdict }
            // The first line of a sequence of `update` or `missing` lines passes at once.
            let isMissing = kind == .missing
            if passage.isMissing != isMissing { (passage.isMissing, passage.due) = (isMissing, nil) }
            verdict = thin(event(), &passage)
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
            // Time that runs backwards restarts the interval.
            if !isFar, late < 0, late >= -interval {
                passage.leftOut += 1
                return .held
            }
            // The due times form a grid, so that the average rate holds at any frame rate.
            let base = !isFar && late >= 0 && late < interval ? due : time
            passage.due = base.addingReportingOverflow(interval).partialValue
        } else {
            passage.due = time.addingReportingOverflow(interval).partialValue
        }
        defer { passage.leftOut = 0 }
        return .passes(leftOut: passage.leftOut)
    }
}
