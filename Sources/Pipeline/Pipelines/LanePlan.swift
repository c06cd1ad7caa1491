import Detectors
import Observations
import Search
import Tracking

/// What stands behind a lane's detector, and how often that one runs.
package struct LanePlan: Sendable, Equatable {
    /// The detector's name.
    package var detector: String
    /// Runs per second of the stream's own time; 0: every frame it can.
    package var maximumRate: Double
    package var tracking: TrackerConfiguration
    package var focus: FocusPolicy
    package var firstTrack: TrackID
    package var explains: Bool
    package var zones: [Zone]
    /// The live search that follows this lane's tracks; nil: none does.
    package var search: SearchPlan?

    package init(
        detector: String, maximumRate: Double = 0, tracking: TrackerConfiguration, focus: FocusPolicy = .none,
        firstTrack: TrackID = TrackID(1), explains: Bool = false, zones: [Zone] = [], search: SearchPlan? = nil
    ) {
        self.detector = detector
        self.maximumRate = maximumRate
        self.tracking = tracking
        self.focus = focus
        self.firstTrack = firstTrack
        self.explains = explains
        self.zones = zones
        self.search = search
    }
}

extension LaneConfiguration {
    package init(detector: any DetectorFactory, plan: LanePlan) {
        self.init(detector: detector, maximumRate: plan.maximumRate, tracking: plan.tracking, focus: plan.focus)
        firstTrack = plan.firstTrack
        explains = plan.explains
        zones = plan.zones
        search = plan.search
    }

    /// Without the detector.
    package var plan: LanePlan {
        LanePlan(
            detector: detector.name, maximumRate: maximumRate, tracking: tracking, focus: focus, firstTrack: firstTrack,
            explains: explains, zones: zones, search: search)
    }
}
