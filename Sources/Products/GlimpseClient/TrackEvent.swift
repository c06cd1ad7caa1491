// SPDX-License-Identifier: Apache-2.0
/// A step in a track's life cycle. Coordinates are pixels of the upright picture with the origin at the top left.
public struct TrackEvent: Sendable, Hashable {
    /// The steps of a life.
    public enum Phase: String, Sendable {
        case detected, update, missing, completed
    }

    /// The step that this line reports.
    public let phase: Phase
    /// The name of the pipeline.
    public let pipeline: String
    /// The name of the detector.
    public let detector: String
    /// `face`, `barcode`, `object`, `scene`.
    public let kind: String
    /// The frame of the step.
    public let frame: Frame
    /// Unique per pipeline and detector within a run.
    public let id: String
    /// Processed frames since the track was first seen.
    public let ageFrames: Int
    /// Processed frames with a detection of the track.
    public let hits: Int
    /// Processed frames without a detection, in a row until now.
    public let missingFrames: Int
    /// The time of the first detection.
    public let firstSeen: Timestamp
    /// The time of the newest detection.
    public let lastSeen: Timestamp
    /// The completed track that this track probably continues.
    public let previous: Previous?
    /// Whether the detector is focused on this track.
    public let hasFocus: Bool
    /// The track's box; for a missing track, the predicted box.
    public let box: Box?
    /// The box in fractions of the picture's width and height, 0...1.
    public let normalizedBox: Box?
    /// The top left, top right, bottom right and bottom left corner of a barcode, in the symbol's own orientation.
    public let corners: [Point]?
    /// In pixels per second.
    public let velocity: Point?
    /// The box of the motion filter in pixels, if the pipeline has `smoothed_box = true`.
    public let smoothedBox: Box?
    /// 0...1.
    public let confidence: Double?
    /// Whether a detection of low score matched the track.
    public let isWeak: Bool
    /// The number of the detector's detections in this frame.
    public let count: Int?
    /// The number of earlier updates that this line replaces.
    public let coalesced: Int?
    /// The names of the zones that the track is in; nil if it is in none.
    public let zones: [String]?
    /// The stage times of the frame, if `Filter.stages` requests them and they are known.
    public let stages: Stages?
    /// Whether an earlier frame's detections count for this frame, because it showed no change. Always false unless
    /// `Filter.stages` requests it.
    public let isReused: Bool
    /// For a completed track: the reason of its end, such as `gone`.
    public let reason: String?
    /// For a completed track: the time from the first to the last detection, in milliseconds.
    public let durationMilliseconds: Int?
    /// For a completed track: the number of frames with a detection.
    public let frames: Int?
    /// The face, for the kind `face`. Each item of a completed track is the last one.
    public let face: Face?
    /// The barcode, for the kind `barcode`.
    public let barcode: Barcode?
    /// The labels, for the kind `object`.
    public let object: Labels?
    /// The label, for the kind `scene`.
    public let scene: Labels?
    /// The description of a feature of a kind that is not built in; nil for built-in kinds.
    public let attributes: JSONValue?

    /// Stage times in microseconds.
    public struct Stages: Sendable, Hashable, Decodable {
        /// From the coded data of the picture to the upright picture.
        public let decode: Int?
        /// The time the frame waited for the detector.
        public let wait: Int
        /// The time of the detector.
        public let detect: Int
        /// The time of tracking.
        public let track: Int
        /// From the end of tracking until the line was encoded.
        public let emit: Int
    }

    /// A frame of the pipeline's source.
    public struct Frame: Sendable, Hashable, Decodable {
        /// The number of starts of the pipeline's worker.
        public let epoch: UInt64
        /// The number of frames received.
        public let sequence: UInt64
        /// The presentation timestamp in nanoseconds; 0 is the first frame of the epoch.
        public let presentationTime: Int64
        /// The width of the upright picture in pixels.
        public let width: Int
        /// The height of the upright picture in pixels.
        public let height: Int
        /// The transformation already applied: degrees clockwise, then the mirroring. All boxes and points refer to the
        /// upright picture.
        public let rotation: Int?
        /// Whether the picture was flipped left and right.
        public let isMirrored: Bool?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case epoch, width, height, rotation
            case isMirrored = "mirrored"
            case sequence = "seq"
            case presentationTime = "pts_ns"
        }
    }

    /// A completed track that has the content of this track.
    public struct Previous: Sendable, Hashable, Decodable {
        /// The id of the completed track.
        public let id: String
        /// 0...1.
        public let score: Double
    }
}

/// A point of the upright picture in pixels. `x` grows to the right, `y` downwards.
public struct Point: Sendable, Hashable, Decodable {
    /// The distance from the left edge.
    public let x: Double
    /// The distance from the upper edge.
    public let y: Double
}

/// A rectangle of the upright picture, in pixels or in fractions of its size.
public struct Box: Sendable, Hashable, Decodable {
    /// The left edge.
    public let x: Double
    /// The upper edge.
    public let y: Double
    /// The width.
    public let width: Double
    /// The height.
    public let height: Double

    enum CodingKeys: String, CodingKey, CaseIterable {
        case x, y
        case width = "w"
        case height = "h"
    }
}

extension TrackEvent {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case pipeline, detector, kind, frame, track, box, nbox, corners, velocity, confidence, weak, count, coalesced,
            zones, reused, reason, frames, last, face, barcode, object, scene
        case stages = "stages_us"
        case smoothedBox = "smoothed_box"
        case durationMilliseconds = "duration_ms"

        /// The members that describe a feature of a built-in kind, by the name of the kind.
        static let items: [CodingKeys] = [.face, .barcode, .object, .scene]
    }

    /// The payload: a barcode's `raw`, or the string `value` of the attributes of a kind that is not built in.
    public var value: String? { barcode?.raw ?? attributes?["value"]?.text }

    struct TrackForm: Decodable {
        let id: String
        let ageFrames: Int
        let hits: Int
        let missingFrames: Int
        let firstSeen: Timestamp
        let lastSeen: Timestamp
        let previous: Previous?
        let focus: Bool?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case id, hits, focus
            case ageFrames = "age_frames"
            case missingFrames = "missing_frames"
            case firstSeen = "first_seen"
            case lastSeen = "last_seen"
            case previous = "previous_id"
        }
    }

    /// - Parameter phase: the line's type; nil for a track of a `state` line, which has no type.
    init(_ phase: Phase?, from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: CodingKeys.self)
        let track = try line.decode(TrackForm.self, forKey: .track)
        self.phase = phase ?? (track.missingFrames > 0 ? .missing : .update)
        pipeline = try line.decodeIfPresent(String.self, forKey: .pipeline) ?? ""
        detector = try line.decode(String.self, forKey: .detector)
        let kindName = try line.decode(String.self, forKey: .kind)
        kind = kindName
        frame = try line.decode(Frame.self, forKey: .frame)
        (id, ageFrames, hits, missingFrames) = (track.id, track.ageFrames, track.hits, track.missingFrames)
        (firstSeen, lastSeen) = (track.firstSeen, track.lastSeen)
        (previous, hasFocus) = (track.previous, track.focus ?? false)
        box = try line.decodeIfPresent(Box.self, forKey: .box)
        normalizedBox = try line.decodeIfPresent(Box.self, forKey: .nbox)
        corners = try line.decodeIfPresent([Point].self, forKey: .corners)
        velocity = try line.decodeIfPresent(Point.self, forKey: .velocity)
        smoothedBox = try line.decodeIfPresent(Box.self, forKey: .smoothedBox)
        confidence = try line.decodeIfPresent(Double.self, forKey: .confidence)
        isWeak = try line.decodeIfPresent(Bool.self, forKey: .weak) ?? false
        count = try line.decodeIfPresent(Int.self, forKey: .count)
        coalesced = try line.decodeIfPresent(Int.self, forKey: .coalesced)
        zones = try line.decodeIfPresent([String].self, forKey: .zones)
        stages = try line.decodeIfPresent(Stages.self, forKey: .stages)
        isReused = try line.decodeIfPresent(Bool.self, forKey: .reused) ?? false
        reason = try line.decodeIfPresent(String.self, forKey: .reason)
        durationMilliseconds = try line.decodeIfPresent(Int.self, forKey: .durationMilliseconds)
        frames = try line.decodeIfPresent(Int.self, forKey: .frames)
        // A line that would be too long has the item only in `last`.
        func item<Item: Decodable>(_ type: Item.Type, _ key: CodingKeys) throws -> Item? {
            guard kindName == key.rawValue else { return nil }
            return try line.decodeIfPresent(type, forKey: key) ?? line.decodeIfPresent(type, forKey: .last)
        }
        face = try item(Face.self, .face)
        barcode = try item(Barcode.self, .barcode)
        object = try item(Labels.self, .object)
        scene = try item(Labels.self, .scene)
        attributes =
            if CodingKeys.items.contains(where: { $0.rawValue == kindName }) { nil } else {
                try decoder.container(keyedBy: DynamicKey.self)
                    .decodeIfPresent(JSONValue.self, forKey: DynamicKey(stringValue: kindName))
                    ?? line.decodeIfPresent(JSONValue.self, forKey: .last)
            }
    }
}
