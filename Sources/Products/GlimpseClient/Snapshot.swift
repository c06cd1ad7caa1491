// SPDX-License-Identifier: Apache-2.0
/// A picture, completely written to disk.
public struct Snapshot: Sendable, Hashable, Decodable {
    /// nil if the picture belongs to no track.
    public let detector: String?
    /// `face`, `barcode`, `object`, `scene`; nil if the picture belongs to no track.
    public let kind: String?
    /// The track's id; nil if the picture belongs to no track.
    public let id: String?
    /// `detected`, `best`, `completed`, or `command` for a picture of a whole frame.
    public let rule: String
    /// The picture's path. The daemon deletes old pictures.
    public let file: String
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// The size of the file in bytes.
    public let bytes: Int
    /// The quality of the picture for its track, 0...1.
    public let score: Double?
    /// The confidence of the detection, 0...1.
    public let confidence: Double?
    /// The frame that the picture shows wholly or in part.
    public let frame: TrackEvent.Frame

    enum CodingKeys: String, CodingKey, CaseIterable {
        case detector, kind, id, rule, file, width, height, bytes, score, confidence, frame
    }
}
