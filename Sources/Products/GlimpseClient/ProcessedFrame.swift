// SPDX-License-Identifier: Apache-2.0
/// A detector has processed a frame. The daemon sends this line only when `Filter.frames` is set, and never from the
/// journal.
public struct ProcessedFrame: Sendable, Hashable, Decodable {
    /// The name of the detector.
    public let detector: String
    /// `face`, `barcode`, `object`, `scene`.
    public let kind: String
    /// The processed frame.
    public let frame: TrackEvent.Frame
    /// The number of the detector's detections in this frame.
    public let count: Int
    /// The number of tracks seen in this frame.
    public let inView: Int
    /// The number of tracks not seen in this frame.
    public let missing: Int
    /// The number of earlier frames of the detector that this line replaces; nil if none.
    public let coalesced: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case detector, kind, frame, count, missing, coalesced
        case inView = "in_view"
    }
}
