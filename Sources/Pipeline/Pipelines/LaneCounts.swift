/// What a lane has done since it was made.
public struct LaneCounts: Sendable, Equatable {
    public var detector = ""
    /// Frames that the detector was given the chance to look at.
    public var processed = 0
    /// Frames that were replaced by newer ones before the detector was free.
    public var dropped = 0
    /// Frames that the lane's rate left out.
    public var skipped = 0
    /// Frames that the detector failed on; `processed` counts them too.
    public var failed = 0
    /// Detections that a limit of the tracker kept out.
    public var refused = 0
    /// Tracks that ended because a new one needed their place.
    public var evicted = 0
    /// The newest faces that the face detector's `min_size` kept out of pictures without others; nil: none.
    public var smallFaces: SmallFaces?

    public init(
        detector: String = "", processed: Int = 0, dropped: Int = 0, skipped: Int = 0, failed: Int = 0,
        refused: Int = 0, evicted: Int = 0
    ) {
        self.skipped = skipped
        self.detector = detector
        self.processed = processed
        self.dropped = dropped
        self.failed = failed
        self.refused = refused
        self.evicted = evicted
    }

    /// What was lost, for people; nil when nothing was.
    public var losses: String? {
        var losses: [String] = []
        if dropped > 0 { losses.append("dropped \(dropped) of \(processed + dropped) frames") }
        if failed > 0 { losses.append("failed on \(failed) of \(processed) frames") }
        if refused > 0 { losses.append("refused \(refused) detections beyond the tracker's limits") }
        if evicted > 0 { losses.append("ended \(evicted) tracks for new ones beyond the tracker's capacity") }
        return losses.isEmpty ? nil : "\(detector): \(losses.joined(separator: ", "))"
    }
}
