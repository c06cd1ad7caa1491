import Detectors
import Observations
import Search
import Tracking

/// What stands behind a lane's detector, and how often that one runs.
public struct LanePlan: Sendable, Equatable {
    /// The detector's name.
    public var detector: String
    /// Runs per second of the stream's own time; 0: every frame it can.
    public var maximumRate: Double
    public var tracking: TrackerConfiguration
    public var focus: FocusPolicy
    /// The id of the first track, so that a worker that is started again reuses none.
    public var firstTrack = TrackID(1)
    /// Whether there are reports of why detections were not tracked and why tracks ended.
    public var explains: Bool
    /// Whose names go into tracks' lines, and which tracks are told to enter and leave.
    public var zones: [Zone]
    /// The live search that follows the lane's tracks; nil: none does.
    package var search: SearchPlan?

    public init(
        detector: String, maximumRate: Double = 0, tracking: TrackerConfiguration, focus: FocusPolicy = .none,
        explains: Bool = false, zones: [Zone] = []
    ) {
        self.detector = detector
        self.maximumRate = maximumRate
        self.tracking = tracking
        self.focus = focus
        self.explains = explains
        self.zones = zones
    }
}
