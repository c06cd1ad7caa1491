// SPDX-License-Identifier: Apache-2.0
import EventLines

/// Limits the rate of frame lines per detector for one subscriber. The gate counts the requested lines that it leaves
/// out.
struct RequestedGate: Sendable {
    private struct Passenger: Hashable {
        var kind: EncodedEvent.Kind
        var pipeline: Int
        var detector: String
    }

    private struct Passage {
        /// The frame time in nanoseconds from which on a line passes; nil lets the next line pass.
        var due: Int64?
        var leftOut = 0
    }

    /// The interval between lines in nanoseconds; nil lets all lines pass.
    private let interval: Int64?
    private var passages: [Passenger: Passage] = [:]

    /// - Parameter rate: the highest rate of frame lines per detector, per second of frame time; nil for no limit.
    init(rate: Double?) {
        // The limit of one year is longer than any stream needs, and leaves room for additions.
        interval = rate.map { Int64(max(1, min(1e9 / $0, 3.2e16))) }
    }

    /// Takes the next line.
    ///
    /// - Parameter hasRoom: whether the subscriber can take a line now.
    /// - Returns: the number of this detector's lines of this type left out since the last one that passed; nil if this
    ///   line is left out.
    mutating func judge(_ event: EncodedEvent, ofPipeline pipeline: Int, hasRoom: Bool) -> Int? {
        let key = Passenger(kind: event.kind, pipeline: pipeline, detector: event.detector)
        var passage = passages[key] ?? Passage()
        defer { passages[key] = passage }
        guard hasRoom, isDue(event, &passage) else {
            passage.leftOut += 1
            return nil
        }
        defer { passage.leftOut = 0 }
        return passage.leftOut
    }

    private func isDue(_ event: EncodedEvent, _ passage: inout Passage) -> Bool {
        guard event.kind == .frame, let interval, let time = TrackLine(event).presentationTime else { return true }
        let late = passage.due.map { time.subtractingReportingOverflow($0) }
        // Time that runs backwards restarts the interval.
        if let late, !late.overflow, late.partialValue < 0, late.partialValue >= -interval { return false }
        // The due times form a grid, so that the average rate holds at any frame rate.
        let isOnGrid = late.map { !$0.overflow && (0..<interval).contains($0.partialValue) } ?? false
        let base = isOnGrid ? passage.due ?? time : time
        passage.due = base.addingReportingOverflow(interval).partialValue
        return true
    }
}
