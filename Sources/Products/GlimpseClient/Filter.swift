// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Selects events. An event passes when it meets all conditions. The event stream's documentation defines each
/// condition.
public struct Filter: Sendable, Hashable, Encodable {
    /// Pipeline names; `*` matches any characters, `?` matches one. nil selects every pipeline.
    public var pipelines: [String]?
    /// `face`, `barcode`, `object`, `scene`.
    public var kinds: [String]?
    /// `detected`, `update`, `missing`, `completed`, `zone`, `line`, `search`, `snapshot`, `source`, `detector`,
    /// `config`.
    public var types: [String]?
    /// Selects only tracks of objects and scenes with one of these labels.
    public var labels: [String]?
    /// The lowest confidence, 0...1.
    public var minimumConfidence: Double?
    /// A POSIX extended regular expression. Selects only tracks of barcodes whose text it matches.
    public var value: String?
    /// The highest rate per track in lines per second, for `update` and for `missing`.
    public var updateRate: Double?
    /// Selects tracks that have been in one of these zones, and the `zone` lines of these zones.
    public var zones: [String]?
    /// Selects the `line` lines of these lines.
    public var lines: [String]?
    /// true adds the stage times of the frame to track lines (`TrackEvent.stages`).
    public var stages: Bool?
    /// true adds a line for each frame that a detector processes (`ProcessedFrame`), independent of `types`.
    public var frames: Bool?
    /// The highest rate of frame lines per detector in lines per second; used with `frames`.
    public var frameRate: Double?
    /// true adds lines that say why detections are not tracked and why tracks ended, independent of `types`.
    public var explain: Bool?
    /// true: this subscriber is no reason to run a pipeline that runs on demand.
    public var passive: Bool?

    /// Makes a filter. nil sets no condition, and adds no lines.
    public init(
        pipelines: [String]? = nil, kinds: [String]? = nil, types: [String]? = nil, labels: [String]? = nil,
        minimumConfidence: Double? = nil, value: String? = nil, updateRate: Double? = nil, zones: [String]? = nil,
        lines: [String]? = nil,
        stages: Bool? = nil, frames: Bool? = nil, frameRate: Double? = nil, explain: Bool? = nil,
        passive: Bool? = nil
    ) {
        self.pipelines = pipelines
        self.kinds = kinds
        self.types = types
        self.labels = labels
        self.minimumConfidence = minimumConfidence
        self.value = value
        self.updateRate = updateRate
        self.zones = zones
        self.lines = lines
        self.stages = stages
        self.frames = frames
        self.frameRate = frameRate
        self.explain = explain
        self.passive = passive
    }

    /// Whether the filter lets every event pass.
    public var isEmpty: Bool { self == Filter() }

    private enum CodingKeys: String, CodingKey {
        case pipelines, kinds, types, labels, zones, lines, stages, frames, explain, passive
        case minimumConfidence = "min_confidence"
        case value = "value_regex"
        case updateRate = "update_hz"
        case frameRate = "frame_hz"
    }
}

/// The first line that a client sends.
struct Request: Encodable {
    var subscribe: Filter?
    var after: UInt64?
    var runID: String?
    var state: Bool?

    private enum CodingKeys: String, CodingKey {
        case subscribe, after, state
        case runID = "run_id"
    }

    /// The encoded request with its newline.
    var line: [UInt8] {
        let encoder = JSONEncoder()
        // Encodes a confidence or rate of infinity or NaN as text, which the daemon refuses.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // Encoding strings and numbers cannot fail.
        return Array((try? encoder.encode(self)) ?? Data()) + [UInt8(ascii: "\n")]
    }
}
