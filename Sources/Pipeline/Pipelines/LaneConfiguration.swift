// SPDX-License-Identifier: Apache-2.0
import Detectors
import PictureRelease
import Tracking

/// A detector and the configuration of its lane: rate, tracking and focus.
public struct LaneConfiguration: Sendable {
    /// Makes the detector on the lane's own thread.
    public var detector: any DetectorFactory
    /// The plan names the detector.
    public var plan: LanePlan
    /// Withholds frames without changes from the detector. If nil, the detector runs on every frame that its rate
    /// admits.
    public var gate: GateConfiguration?
    /// Observes frames together with their track changes; nil without an observer.
    package var observer: (any LaneObserver)?
    /// Learns which features of each frame are covered in pictures; nil if pictures cover nothing.
    package var release: PictureRelease?
    /// Carries out the actions of the plan's search; nil if a subscriber answers, without pictures.
    package var searchPerformer: (any SearchPerformer)?

    package init(detector: any DetectorFactory, plan: LanePlan) {
        self.detector = detector
        self.plan = plan
    }

    /// `maximumRate`: runs per second of stream time; 0 for every frame possible. The lane has no gate.
    public init(
        detector: any DetectorFactory, maximumRate: Double = 0, tracking: TrackerConfiguration,
        focus: FocusPolicy = .none
    ) {
        self.init(
            detector: detector,
            plan: LanePlan(detector: detector.name, maximumRate: maximumRate, tracking: tracking, focus: focus))
    }
}

/// A change of a running lane.
struct LaneChange: Sendable {
    var configuration: LaneConfiguration
    /// Whether to create the detector anew. Its tracks continue.
    var replacesDetector: Bool
}
