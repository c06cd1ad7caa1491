import Observations

/// A step in the life of a track.
public struct TrackEvent: Sendable, Equatable {
    public var phase: TrackPhase
    public var detector: String
    public var frame: FrameInfo
    public var track: Track
    /// This detector's detections in this frame.
    public var count: Int
    public var stages: StageTimes?
    /// Names of the zones that it is in; in `completed` those that it was in.
    public var zones: [String] = []
    /// The best picture of a track that is completed.
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
