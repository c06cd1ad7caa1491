import EventLines

/// Decides which frames' lines a subscriber gets: of each detector at most so many a second. The others are counted.
struct FrameGate: Sendable {
    private struct Detector: Hashable {
        var pipeline: Int
        var name: String
    }

    private struct Passage {
        /// When the next line passes, in nanoseconds of frame time; nil: whichever comes.
        var due: Int64?
        var leftOut = 0
    }

    /// Nanoseconds between lines; nil: all pass.
    private let interval: Int64?
    private var passages: [Detector: Passage] = [:]

    /// - Parameter rate: lines of each detector per second of its frames' time; nil: all.
    init(rate: Double?) {
        // A year is as good as never, and leaves room to add.
        interval = rate.map { Int64(max(1, min(1e9 / $0, 3.2e16))) }
    }

    /// Takes the next line.
    ///
    /// - Parameter hasRoom: whether the subscriber can take a line now.
    /// - Returns: how many lines of this detector were left out since the last one that passed; nil: this one is left out.
    mutating func judge(_ event: EncodedEvent, ofPipeline pipeline: Int, hasRoom: Bool) -> Int? {
        let key = Detector(pipeline: pipeline, name: event.detector)
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
        guard let interval, let time = TrackLine(event).presentationTime else { return true }
        let late = passage.due.map { time.subtractingReportingOverflow($0) }
        // Time that runs backwards starts anew.
        if let late, !late.overflow, late.partialValue < 0, late.partialValue >= -interval { return false }
        // A grid, so that the rate holds on average whatever the frame rate.
        let isOnGrid = late.map { !$0.overflow && (0..<interval).contains($0.partialValue) } ?? false
        let base = isOnGrid ? passage.due ?? time : time
        passage.due = base.addingReportingOverflow(interval).partialValue
        return true
    }
}
