import Events
import Observations
import Search
import Tracking

/// What a `MultiDetector` asks and tells. All calls about one detector come on that detector's thread, one at a time.
public protocol MultiDetectorDelegate: AnyObject, Sendable {
    /// A feature was detected: give the object that follows it, or nil when it is of no interest.
    func tracker(for track: Track, from detector: String) -> (any FeatureTracker)?

    /// A lane is about to take an input: every other call about this detector, until the next of these, comes of it.
    func laneTakes(_ input: LaneInput, of detector: String)

    /// A detector began to work, or cannot.
    func statusChanged(_ status: DetectorStatus)

    /// A detector failed on a frame, which costs this frame and no more. Told at most once a second; all are counted.
    func detectorFailed(_ failure: DetectorFailure)

    /// Somebody asked to focus on a track that is not live: nothing changed.
    func focusRefused(_ id: TrackID, by detector: String)

    /// For the first time a detection was refused or a track evicted, because there are more than the tracker takes.
    func capacityReached(by detector: String, frame: FrameInfo)

    /// A picture without a face has faces that are smaller than the detector's `min_size`. Reported once in a detector's life.
    func facesTooSmall(_ faces: SmallFaces, for detector: String, frame: FrameInfo)

    /// A picture of a track is whole on disk.
    func pictured(_ picture: SnapshotEvent)

    /// Why detections of a frame were not tracked and why tracks ended in it; only of lanes that explain, and never empty.
    func explained(_ explanation: Explanation, in results: DetectionResults)

    /// From now on these are the detector's zones; told before its first frame if there are any, and whenever they change.
    func zonesChanged(_ zones: [Zone], of detector: String)

    /// The lane's search session has something to say.
    func searchChanged(_ status: SearchStatus, of detector: String, kind: FeatureKind)

    /// Somebody asked the lane's search session for what it cannot do now: nothing changed.
    func searchRefused(_ reason: String, by detector: String)

    /// An input that is no frame's results has had its effects.
    func settled(_ detector: String)

    /// A detector and its trackers are done with a frame.
    func finished(_ results: DetectionResults, stages: LaneStages)
}

extension MultiDetectorDelegate {
    public func laneTakes(_ input: LaneInput, of detector: String) {}
    public func statusChanged(_ status: DetectorStatus) {}
    public func detectorFailed(_ failure: DetectorFailure) {}
    public func focusRefused(_ id: TrackID, by detector: String) {}
    public func capacityReached(by detector: String, frame: FrameInfo) {}
    public func facesTooSmall(_ faces: SmallFaces, for detector: String, frame: FrameInfo) {}
    public func pictured(_ picture: SnapshotEvent) {}
    public func explained(_ explanation: Explanation, in results: DetectionResults) {}
    public func zonesChanged(_ zones: [Zone], of detector: String) {}
    public func searchChanged(_ status: SearchStatus, of detector: String, kind: FeatureKind) {}
    public func searchRefused(_ reason: String, by detector: String) {}
    public func settled(_ detector: String) {}
    public func finished(_ results: DetectionResults, stages: LaneStages) {}
}

/// Whether a detector can work, and what it runs.
public struct DetectorStatus: Sendable, Equatable {
    public var detector: String
    public var kind: FeatureKind
    public var isOperational: Bool
    public var model: String?
    /// Why it is not operational, or what is worth knowing though it is.
    public var reason: String?
    /// The last frame it saw; nil before the first.
    public var frame: FrameInfo?

    public init(
        detector: String, kind: FeatureKind, isOperational: Bool, model: String? = nil, reason: String? = nil,
        frame: FrameInfo? = nil
    ) {
        self.detector = detector
        self.kind = kind
        self.isOperational = isOperational
        self.model = model
        self.reason = reason
        self.frame = frame
    }
}

/// A frame that a detector could not cope with.
public struct DetectorFailure: Sendable, Equatable {
    public var detector: String
    public var reason: String
    /// Failures of this lane so far, those that were not told included.
    public var total: Int
    public var frame: FrameInfo

    public init(detector: String, reason: String, total: Int, frame: FrameInfo) {
        self.detector = detector
        self.reason = reason
        self.total = total
        self.frame = frame
    }
}

/// Where a frame's time went.
public struct LaneStages: Sendable, Equatable {
    /// See `Frame.decodeTime`.
    public var decode: Duration?
    /// From the hand-over to the lane until it took the frame.
    public var wait: Duration
    public var detect: Duration
    /// Association and all tracker callbacks.
    public var track: Duration

    public init(
        decode: Duration? = nil, wait: Duration = .zero, detect: Duration = .zero, track: Duration = .zero
    ) {
        self.decode = decode
        self.wait = wait
        self.detect = detect
        self.track = track
    }
}
