/// A detector has processed a frame. Comes where `Filter.frames` asks for it, and is never sent later.
public struct ProcessedFrame: Sendable, Hashable, Decodable {
    public let detector: String
    /// `face`, `barcode`, `object`, `scene`.
    public let kind: String
    public let frame: TrackEvent.Frame
    /// The detector's detections in this frame.
    public let count: Int
    /// Tracks that were seen in it.
    public let inView: Int
    /// Tracks that were not.
    public let missing: Int
    /// How many of the detector's frames before it this one stands for; nil: none.
    public let coalesced: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case detector, kind, frame, count, missing, coalesced
        case inView = "in_view"
    }
}
