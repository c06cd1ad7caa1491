// SPDX-License-Identifier: Apache-2.0
/// A track's number: unique for a detector in a run and never reused. The key everywhere is (run, pipeline, detector,
/// id).
public struct TrackID: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// 1 for the first track of a detector.
    public var number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }

    /// Whether the left track is the older one.
    public static func < (left: TrackID, right: TrackID) -> Bool { left.number < right.number }
    /// The number in decimal digits, as lines write it.
    public var description: String { String(number) }
}

/// The completed track that a new one plausibly goes on from.
public struct PreviousTrack: Sendable, Hashable, Codable {
    /// The id of the completed track.
    public var id: TrackID
    /// 0...1; 1 when it is certain, because the track was only out of focus.
    public var score: Float

    public init(id: TrackID, score: Float) {
        self.id = id
        self.score = score
    }
}

/// A followed feature as it stands after a frame.
public struct Track: Sendable, Equatable {
    /// The id, given when the track is first reported.
    public var id: TrackID
    /// The kind of the feature.
    public var kind: FeatureKind
    /// Processed frames since first seen, that one included.
    public var ageFrames: Int
    /// Processed frames with a detection.
    public var hits: Int
    /// Processed frames in which the symbol was decoded; 0 for features without a payload.
    public var reads: Int
    /// Consecutive processed frames without a detection, now.
    public var missingFrames: Int
    /// The time of the first detection.
    public var firstSeen: Timestamp
    /// The time of the newest detection.
    public var lastSeen: Timestamp
    /// The detection's box; while missing, the predicted one.
    public var box: Box
    /// Whether `box` is a prediction.
    public var isPredicted: Bool
    /// The box of the motion filter; nil unless the configuration has `smoothedBox`.
    public var smoothedBox: Box?
    /// Pixels per second of the box's centre; nil until two detections have been seen.
    public var velocity: Point?
    /// The last detection.
    public var detection: Detection
    /// Detections of a low score continue a track but are marked.
    public var isWeak: Bool
    /// Whether the detector is focused on this track.
    public var hasFocus: Bool
    /// The completed track with this content; nil if there is no such track. It never changes during the life.
    public var previous: PreviousTrack?

    public init(
        id: TrackID, kind: FeatureKind, ageFrames: Int, hits: Int, reads: Int = 0, missingFrames: Int,
        firstSeen: Timestamp, lastSeen: Timestamp, box: Box, isPredicted: Bool, smoothedBox: Box? = nil,
        velocity: Point?, detection: Detection, isWeak: Bool = false, hasFocus: Bool = false,
        previous: PreviousTrack? = nil
    ) {
        self.id = id
        self.kind = kind
        self.ageFrames = ageFrames
        self.hits = hits
        self.reads = reads
        self.missingFrames = missingFrames
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.box = box
        self.isPredicted = isPredicted
        self.smoothedBox = smoothedBox
        self.velocity = velocity
        self.detection = detection
        self.isWeak = isWeak
        self.hasFocus = hasFocus
        self.previous = previous
    }
}

/// Why a track ended.
public enum CompletionReason: String, Sendable, Codable, CaseIterable {
    /// Unseen for longer than the gap of the tracker's rules.
    case gone
    /// Live at the end of the file.
    case endOfStream = "end_of_stream"
    /// Live when the daemon stopped, or when the pipeline was paused or restarted.
    case shutdown
    /// Live when a reload replaced the worker.
    case reload
    /// Live when the worker or the source was lost.
    case sourceLost = "source_lost"
    /// Live when time ran back or jumped, or when the size of the picture changed.
    case discontinuity
    /// A symbol with another payload is in its place.
    case payloadChanged = "payload_changed"
    /// Another track got the focus.
    case focusChanged = "focus_changed"
    /// A new track needed its place, because the tracker holds its greatest number of tracks.
    case evicted
}

/// A step in a track's life: `detected update (update | missing+ update)* missing* completed`.
public enum TrackPhase: Sendable, Equatable {
    /// The first report of a track.
    case detected
    /// The track was seen in the frame.
    case update
    /// The track was not seen in the frame; its box is predicted.
    case missing
    /// The last report of a track. Its id is never used again in the run.
    case completed(CompletionReason)
}
