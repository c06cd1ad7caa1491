import Detectors
import Tracking

/// A detector with what stands behind it: how often it runs, how its results are tracked, which one has the focus.
public struct LaneConfiguration: Sendable {
    public var detector: any DetectorFactory
    /// Of the detector's name.
    public var plan: LanePlan
    /// Looks at frames together with what was tracked in them; nil: nobody does.
    package var observer: (any LaneObserver)?
    /// Carries out what the plan's search asks for; nil: a subscriber answers, without pictures.
    package var searchPerformer: (any SearchPerformer)?

    package init(detector: any DetectorFactory, plan: LanePlan) {
        self.detector = detector
        self.plan = plan
    }

    public init(
        detector: any DetectorFactory, maximumRate: Double = 0, tracking: TrackerConfiguration,
        focus: FocusPolicy = .none
    ) {
        self.init(
            detector: detector,
            plan: LanePlan(detector: detector.name, maximumRate: maximumRate, tracking: tracking, focus: focus))
    }
}

/// What a lane that runs is to change to.
struct LaneChange: Sendable {
    var configuration: LaneConfiguration
    /// Whether the detector is to be made anew. Its tracks live on.
    var replacesDetector: Bool
}
