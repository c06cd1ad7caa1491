import Detectors
import Observations
import Search
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
    /// Whether the delegate is told why detections were not tracked and why tracks ended.
    public var explains = false
    /// Whose names go into tracks' lines, and which tracks are told to enter and leave.
    public var zones: [Zone] = []
    /// Looks at frames together with what was tracked in them; nil: nobody does.
    package var witness: (any LaneWitness)?
    /// The live search that follows the lane's tracks; nil: none does.
    package var search: SearchPlan?
    /// Carries out what it asks for; nil: a subscriber answers, without pictures.
    package var searchPerformer: (any SearchPerformer)?

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

/// What a lane that runs is to change to.
struct LaneChange: Sendable {
    var configuration: LaneConfiguration
    /// Whether the detector is to be made anew. Its tracks live on.
    var replacesDetector: Bool
}
