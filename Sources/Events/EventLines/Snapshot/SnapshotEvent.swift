// SPDX-License-Identifier: Apache-2.0
import Observations

/// A picture of a track, completely written to disk.
public struct SnapshotEvent: Sendable, Equatable {
    /// The reason for a picture.
    public enum Rule: String, Sendable, Codable, CaseIterable {
        /// The frame of the track's `detected` line.
        case detected
        /// The track's best frame, reported when the track has ended.
        case best
        /// The frame in which the track ended.
        case completed
    }

    /// The detector of the track.
    public var detector: String
    public var kind: FeatureKind
    public var track: TrackID
    /// The reason for the picture.
    public var rule: Rule
    /// The frame that the picture shows wholly or in part.
    public var frame: FrameInfo
    /// The picture's path.
    public var file: String
    /// The size of the picture in pixels.
    public var width: Int
    public var height: Int
    /// The size of the file in bytes.
    public var bytes: Int
    /// The quality of the picture for its track, 0...1 (`docs/reference/events.md`).
    public var score: Float?
    /// The confidence of the detection.
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
