// SPDX-License-Identifier: Apache-2.0
import Observations

/// The question to a search engine: a confirmed thing, as it stood on the frame of confirmation.
public struct SearchQuery: Sendable, Equatable {
    /// Unique in a run, and the same in a replay: the worker's epoch and the session's count of searches, such as
    /// `1.3`.
    public var id: String
    public var pipeline: String
    public var detector: String
    public var track: TrackID
    /// Box in pixels of the upright picture, labels and category or the barcode's value.
    public var detection: Detection
    public var frame: FrameInfo
    /// File of the object's region as a JPEG picture, complete before anyone learns its name; nil before it exists.
    public var crop: String?

    public init(
        id: String, pipeline: String, detector: String, track: TrackID, detection: Detection, frame: FrameInfo,
        crop: String? = nil
    ) {
        self.id = id
        self.pipeline = pipeline
        self.detector = detector
        self.track = track
        self.detection = detection
        self.frame = frame
        self.crop = crop
    }

    public var kind: FeatureKind { detection.kind }
}
