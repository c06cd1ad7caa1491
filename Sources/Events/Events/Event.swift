import Observations

/// Everything that a pipeline says: each case is one line type of the event stream.
public enum Event: Sendable, Equatable {
    case track(TrackEvent)
    case source(SourceEvent)
    case detector(DetectorEvent)
    case explain(ExplainEvent)
    case zone(ZoneEvent)
    case snapshot(SnapshotEvent)
    case frameSnapshot(FrameSnapshotEvent)
    case search(SearchEvent)
    case frame(FrameEvent)
}

/// The names of a pipeline and its tags, which stand in each of its lines.
public struct PipelineIdentity: Sendable, Equatable {
    public var name: String
    /// In the order they are written.
    public var tags: [(key: String, value: String)]

    public init(name: String, tags: [String: String] = [:]) {
        self.name = name
        self.tags = tags.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    }

    public static func == (left: PipelineIdentity, right: PipelineIdentity) -> Bool {
        left.name == right.name && left.tags.elementsEqual(right.tags, by: ==)
    }
}

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

/// What became of the source.
public struct SourceEvent: Sendable, Equatable {
    public enum State: String, Sendable, Codable, CaseIterable {
        case connecting, connected, stalled, lost, retrying, ended, paused, disabled
    }

    public var state: State
    public var time: Timestamp
    public var clock: ClockSource
    public var attempt: Int?
    public var retryMilliseconds: Int?
    /// Redacted, for people.
    public var error: String?
    /// Why nothing runs though nothing is wrong: `on_demand`.
    public var reason: String?

    public init(
        state: State, time: Timestamp, clock: ClockSource, attempt: Int? = nil, retryMilliseconds: Int? = nil,
        error: String? = nil, reason: String? = nil
    ) {
        self.state = state
        self.time = time
        self.clock = clock
        self.attempt = attempt
        self.retryMilliseconds = retryMilliseconds
        self.error = error
        self.reason = reason
    }
}

/// Whether a detector can work.
public struct DetectorEvent: Sendable, Equatable {
    public var detector: String
    public var kind: FeatureKind
    public var operational: Bool
    public var model: String?
    public var reason: String?
    public var time: Timestamp
    public var clock: ClockSource

    public init(
        detector: String, kind: FeatureKind, operational: Bool, model: String? = nil, reason: String? = nil,
        time: Timestamp, clock: ClockSource
    ) {
        self.detector = detector
        self.kind = kind
        self.operational = operational
        self.model = model
        self.reason = reason
        self.time = time
        self.clock = clock
    }
}

/// A track has entered a zone, stayed in it or left it.
public struct ZoneEvent: Sendable, Equatable {
    public enum Change: Sendable, Equatable {
        case entered
        /// It has been seen in it for as long as the zone's `dwell`. Nanoseconds of the frames' time.
        case dwelling(for: Int64)
        /// For how long it was seen in it.
        case left(after: Int64)
    }

    public var zone: String
    public var change: Change
    /// The step of its life that it did so with.
    public var track: TrackEvent

    public init(zone: String, change: Change, track: TrackEvent) {
        self.zone = zone
        self.change = change
        self.track = track
    }
}

/// Why detections of a frame are in no reported track, and why tracks ended in it.
public struct ExplainEvent: Sendable, Equatable {
    public var detector: String
    public var frame: FrameInfo
    public var explanation: Explanation

    public init(detector: String, frame: FrameInfo, explanation: Explanation) {
        self.detector = detector
        self.frame = frame
        self.explanation = explanation
    }
}
