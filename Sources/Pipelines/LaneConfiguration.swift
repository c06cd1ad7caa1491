import Detectors
import Observations
import Tracking

/// A detector with what stands behind it: how often it runs, how its results are tracked, which one has the focus.
public struct LaneConfiguration: Sendable {
    public var detector: any DetectorFactory
    /// Runs per second of the stream's own time; 0: every frame it can.
    public var maximumRate: Double
    public var tracking: TrackerConfiguration
    public var focus: FocusPolicy
    /// The id of the first track, so that a worker that is started again reuses none.
    public var firstTrack = TrackID(1)

    public init(
        detector: any DetectorFactory, maximumRate: Double = 0, tracking: TrackerConfiguration,
        focus: FocusPolicy = .none
    ) {
        self.detector = detector
        self.maximumRate = maximumRate
        self.tracking = tracking
        self.focus = focus
    }
}

/// Lets frames through at most so often, by the frames' own time: frame by frame, so that a replay runs on the same ones.
struct RateLimiter {
    private let interval: Int64
    private var next: Int64 = .min

    /// - Parameter maximumRate: per second; 0 lets everything through.
    init(maximumRate: Double) {
        interval = maximumRate > 0 ? Int64(1e9 / maximumRate) : 0
    }

    /// - Parameter time: presentation time in nanoseconds. Time that runs backwards starts anew.
    mutating func admits(_ time: Int64) -> Bool {
        guard interval > 0 else { return true }
        if time < next, next - time <= interval { return false }
        // A grid, not "interval after the last run": the rate holds on average whatever the frame rate.
        next = max(next == .min ? time : next, time - interval) + interval
        return true
    }
}
