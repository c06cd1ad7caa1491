import Observations

/// A picture of a track that is whole on disk.
public struct SnapshotEvent: Sendable, Equatable {
    /// Why the picture was taken.
    public enum Rule: String, Sendable, Codable, CaseIterable {
        /// The frame of the track's `detected`.
        case detected
        /// The track's best frame, told when it has ended.
        case best
        /// The frame in which the track ended.
        case completed
    }

    public var detector: String
    public var kind: FeatureKind
    public var track: TrackID
    public var rule: Rule
    /// The frame that the picture shows, or a part of.
    public var frame: FrameInfo
    /// The picture's path.
    public var file: String
    /// Pixels of the picture.
    public var width: Int
    public var height: Int
    public var bytes: Int
    /// How good a picture of the track it is, 0...1 (`docs/events.md`).
    public var score: Float?
    /// The detection's.
    public var confidence: Float?

    public init(
        detector: String, kind: FeatureKind, track: TrackID, rule: Rule, frame: FrameInfo, file: String, width: Int,
        height: Int, bytes: Int, score: Float? = nil, confidence: Float? = nil
    ) {
        self.detector = detector
        self.kind = kind
        self.track = track
        self.rule = rule
        self.frame = frame
        self.file = file
        self.width = width
        self.height = height
        self.bytes = bytes
        self.score = score
        self.confidence = confidence
    }
}
