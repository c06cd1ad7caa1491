// SPDX-License-Identifier: Apache-2.0
import Detectors
import Observations
import Search
import Tracking

/// The configuration of the part of a lane behind its detector, and the detector's rate.
public struct LanePlan: Sendable, Equatable {
    /// The detector's name.
    public var detector: String
    /// The highest number of runs per second of stream time; 0 for every frame possible.
    public var maximumRate: Double
    /// The rules of the tracker.
    public var tracking: TrackerConfiguration
    /// The rule that chooses the focus.
    public var focus: FocusPolicy
    /// The id of the first track, so that a restarted worker does not reuse ids.
    public var firstTrack = TrackID(1)
    /// Whether to report why detections were not tracked and why tracks ended.
    public var explains: Bool
    /// The zones whose names are added to track lines, and whose events are reported.
    public var zones: [Zone]
    /// The lines whose crossings are reported.
    public var lines: [CrossingLine]
    /// The live search that follows the lane's tracks; nil without a search.
    package var search: SearchPlan?

    public init(
        detector: String, maximumRate: Double = 0, tracking: TrackerConfiguration, focus: FocusPolicy = .none,
        explains: Bool = false, zones: [Zone] = [], lines: [CrossingLine] = []
    ) {
        self.detector = detector
        self.maximumRate = maximumRate
        self.tracking = tracking
        self.focus = focus
        self.explains = explains
        self.zones = zones
        self.lines = lines
    }
}
