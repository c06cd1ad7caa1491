import Observations

/// What a detector has in view in a frame that it processed, also where that is nothing. Its line is in no log.
public struct FrameEvent: Sendable, Equatable {
    public var detector: String
    public var kind: FeatureKind
    public var frame: FrameInfo
    /// The detector's detections in this frame.
    public var count: Int
    /// Tracks with an `update` in this frame.
    public var inView: Int
    /// Tracks with a `missing` in this frame.
    public var missing: Int

    public init(
        detector: String, kind: FeatureKind, frame: FrameInfo, count: Int, inView: Int = 0, missing: Int = 0
    ) {
        self.detector = detector
        self.kind = kind
        self.frame = frame
        self.count = count
        self.inView = inView
        self.missing = missing
    }
}
