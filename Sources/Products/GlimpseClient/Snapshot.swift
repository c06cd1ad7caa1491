/// A picture that is whole on disk.
public struct Snapshot: Sendable, Hashable, Decodable {
    /// nil: it is of no track.
    public let detector: String?
    /// `face`, `barcode`, `object`, `scene`; nil: it is of no track.
    public let kind: String?
    /// The track's; nil: it is of none.
    public let id: String?
    /// `detected`, `best`, `completed`; `command`: of a whole frame.
    public let rule: String
    /// The picture's path; the daemon removes old ones.
    public let file: String
    /// Pixels.
    public let width: Int
    public let height: Int
    public let bytes: Int
    /// How good a picture of the track it is, 0...1.
    public let score: Double?
    /// The detection's, 0...1.
    public let confidence: Double?
    /// The frame that it shows, or a part of.
    public let frame: TrackEvent.Frame

    enum CodingKeys: String, CodingKey, CaseIterable {
        case detector, kind, id, rule, file, width, height, bytes, score, confidence, frame
    }
}
