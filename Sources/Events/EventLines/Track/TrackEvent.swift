// SPDX-License-Identifier: Apache-2.0
import Observations

/// A step in the life of a track.
public struct TrackEvent: Sendable, Equatable {
    public var phase: TrackPhase
    /// The detector whose tracker follows the track.
    public var detector: String
    public var frame: FrameInfo
    /// The track after the step.
    public var track: Track
    /// The number of this detector's detections in this frame.
    public var count: Int
    /// The stage times of the frame; nil unless they were measured.
    public var stages: StageTimes?
    /// The names of the track's current zones; in `completed`, of its last zones.
    public var zones: [String] = []
    /// The best picture of a completed track.
    public var best: SnapshotEvent?

    public init(
        phase: TrackPhase, detector: String, frame: FrameInfo, track: Track, count: Int, stages: StageTimes? = nil,
        best: SnapshotEvent? = nil
    ) {
        self.phase = phase
        self.detector = detector
        self.frame = frame
        self.track = track
        self.count = count
        self.stages = stages
        self.best = best
    }
}
