import FoundationEssentials

/// Which events are wanted; all conditions hold together. What they mean in full is in the event stream's documentation.
public struct Filter: Sendable, Hashable, Encodable {
    /// Names; `*` stands for any characters, `?` for one. nil: every pipeline.
    public var pipelines: [String]?
    /// `face`, `barcode`, `object`, `scene`.
    public var kinds: [String]?
    /// `detected`, `update`, `missing`, `completed`, `zone`, `search`, `snapshot`, `source`, `detector`, `config`.
    public var types: [String]?
    /// Tracks of objects and scenes with one of these labels; no others.
    public var labels: [String]?
    /// 0...1.
    public var minimumConfidence: Double?
    /// Tracks of barcodes whose text this POSIX extended regular expression finds; no others.
    public var value: String?
    /// Lines of each track a second at most, of `update` and of `missing`.
    public var updateRate: Double?
    /// Tracks that have been in one of these zones, and of `zone` lines those about them.
    public var zones: [String]?
    /// true: track lines say where their frame's time went (`TrackEvent.stages`).
    public var stages: Bool?
    /// true: a line for each frame that a detector processes (`ProcessedFrame`), whatever `types` says.
    public var frames: Bool?
    /// Such lines of each detector a second at most; with `frames`.
    public var frameRate: Double?

    public init(
        pipelines: [String]? = nil, kinds: [String]? = nil, types: [String]? = nil, labels: [String]? = nil,
        minimumConfidence: Double? = nil, value: String? = nil, updateRate: Double? = nil, zones: [String]? = nil,
        stages: Bool? = nil, frames: Bool? = nil, frameRate: Double? = nil
    ) {
        self.pipelines = pipelines
        self.kinds = kinds
        self.types = types
        self.labels = labels
        self.minimumConfidence = minimumConfidence
        self.value = value
        self.updateRate = updateRate
        self.zones = zones
        self.stages = stages
        self.frames = frames
        self.frameRate = frameRate
    }

    /// Whether it lets everything through.
    public var isEmpty: Bool { self == Filter() }

    private enum CodingKeys: String, CodingKey {
        case pipelines, kinds, types, labels, zones, stages, frames
        case minimumConfidence = "min_confidence"
        case value = "value_regex"
        case updateRate = "update_hz"
        case frameRate = "frame_hz"
    }
}

/// What a connection begins with.
struct Request: Encodable {
    var subscribe: Filter?
    var after: UInt64?
    var runID: String?
    var state: Bool?

    private enum CodingKeys: String, CodingKey {
        case subscribe, after, state
        case runID = "run_id"
    }

    /// With its newline.
    var line: [UInt8] {
        let encoder = JSONEncoder()
        // A confidence or a rate that is no number is for the daemon to refuse.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // Texts and numbers can always be encoded.
        return Array((try? encoder.encode(self)) ?? Data()) + [UInt8(ascii: "\n")]
    }
}
