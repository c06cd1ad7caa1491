/// The processing times of a lane over its newest processed frames.
public struct LaneTimes: Sendable, Equatable {
    public struct Summary: Sendable, Equatable {
        public var median = Duration.zero
        /// The 95th percentile.
        public var percentile95 = Duration.zero
        public var longest = Duration.zero

        public init() {}
    }

    public var detector: String
    /// The time that the lane has worked on its current frame; nil if it has none.
    public var busy: Duration?
    /// From the hand-over of a frame until the lane took it.
    public var wait: Summary
    /// From the hand-over until the lane's work was done.
    public var total: Summary
}

/// The newest durations, up to a fixed number.
struct DurationWindow {
    private static let room = 256

    private var durations: [Duration] = []
    private var oldest = 0

    mutating func append(_ duration: Duration) {
        if durations.count < Self.room {
            durations.append(duration)
        } else {
            durations[oldest] = duration
            oldest = (oldest + 1) % Self.room
        }
    }

    /// The summary by nearest rank; zeros without durations.
    var summary: LaneTimes.Summary {
        var summary = LaneTimes.Summary()
        guard !durations.isEmpty else { return summary }
        let sorted = durations.sorted()
        summary.median = sorted[(sorted.count - 1) / 2]
        summary.percentile95 = sorted[(sorted.count * 95 + 99) / 100 - 1]
        summary.longest = sorted[sorted.count - 1]
        return summary
    }
}
