/// How long a lane takes, over the newest frames that its detector looked at.
public struct LaneTimes: Sendable, Equatable {
    public struct Summary: Sendable, Equatable {
        public var median = Duration.zero
        /// Nineteen of twenty took no longer.
        public var percentile95 = Duration.zero
        public var longest = Duration.zero

        public init() {}
    }

    public var detector: String
    /// For how long the lane has been at the frame that it has now; nil when it has none.
    public var busy: Duration?
    /// From the hand-over of a frame until the lane took it.
    public var wait: Summary
    /// From the hand-over until the lane's work was done.
    public var total: Summary
}

/// The newest durations, as many as it has room for.
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

    /// By the nearest rank; zeros when there is none.
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
