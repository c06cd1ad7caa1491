/// A step in a track's life cycle. Coordinates are pixels of the upright picture with the origin at the top left.
public struct TrackEvent: Sendable, Hashable {
    public enum Phase: String, Sendable {
        case detected, update, missing, completed
    }

    public let phase: Phase
    public let pipeline: String
    public let detector: String
    /// `face`, `barcode`, `object`, `scene`.
    public let kind: String
    public let frame: Frame
    /// Unique per pipeline and detector within a run.
    public let id: String
    /// Three counts of processed frames: since the track was first seen, with a detection, and without a detection in a
    /// row until now.
    public let ageFrames: Int
    public let hits: Int
    public let missingFrames: Int
    public let firstSeen: Timestamp
    public let lastSeen: Timestamp
    /// The completed track that this track probably continues.
    public let previous: Previous?
    public let hasFocus: Bool
    /// The track's box; for a missing track, the predicted box.
    public let box: Box?
    /// The box in fractions of the picture's width and height, 0...1.
    public let normalizedBox: Box?
    /// The top left, top right, bottom right and bottom left corner of a barcode, in the symbol's own orientation.
    public let corners: [Point]?
    /// In pixels per second.
    public let velocity: Point?
    public let smoothedBox: Box?
    /// 0...1.
    public let confidence: Double?
    public let isWeak: Bool
    /// The number of the detector's detections in this frame.
    public let count: Int?
    /// The number of earlier updates that this line replaces.
    public let coalesced: Int?
    public let zones: [String]?
    /// The stage times of the frame, if `Filter.stages` requests them and they are known.
    public let stages: Stages?
    /// Whether an earlier frame's detections count for this frame, because it showed no change. Always false unless
    /// `Filter.stages` requests it.
    public let isReused: Bool
    /// For a completed track: the reason, the duration, and the number of frames with a detection.
    public let reason: String?
    public let durationMilliseconds: Int?
    public let frames: Int?
    /// The item; for a completed track, the last one.
    public let face: Face?
    public let barcode: Barcode?
    public let object: Labels?
    public let scene: Labels?
    /// The description of a feature of a kind that is not built in; nil for built-in kinds.
    public let attributes: JSONValue?

    /// Stage times in microseconds.
    public struct Stages: Sendable, Hashable, Decodable {
        /// From the coded data of the picture to the upright picture.
        public let decode: Int?
        /// The time the frame waited for the detector.
        public let wait: Int
        public let detect: Int
        public let track: Int
        /// From the end of tracking until the line was encoded.
        public let emit: Int
    }

    public struct Frame: Sendable, Hashable, Decodable {
        /// The number of starts of the pipeline's worker.
        public let epoch: UInt64
        /// The number of frames received.
        public let sequence: UInt64
        /// The presentation timestamp in nanoseconds; 0 is the first frame of the epoch.
        public let presentationTime: Int64
        public let width: Int
        public let height: Int
        /// The transformation already applied: degrees clockwise, then the mirroring. All boxes and points refer to the
        /// upright picture.
        public let rotation: Int?
        public let isMirrored: Bool?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case epoch, width, height, rotation
            case isMirrored = "mirrored"
            case sequence = "seq"
            case presentationTime = "pts_ns"
        }
    }

    public struct Previous: Sendable, Hashable, Decodable {
        public let id: String
        /// 0...1.
        public let score: Double
    }
}

public struct Point: Sendable, Hashable, Decodable {
    public let x: Double
    public let y: Double
}

public struct Box: Sendable, Hashable, Decodable {
    public let x: Double
    public let y: Double
    public let width: Double
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
