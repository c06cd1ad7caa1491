#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// As much of an event line as people are shown.
struct WatchedLine: Decodable {
    struct TrackFields: Decodable {
        var id: String
        var ageFrames: Int
        var hits: Int
        var missingFrames: Int
        var firstSeen: String

        private enum CodingKeys: String, CodingKey {
            case id, hits
            case ageFrames = "age_frames"
            case missingFrames = "missing_frames"
            case firstSeen = "first_seen"
        }
    }

    struct BoxFields: Decodable {
        var x: Double
        var y: Double
        var w: Double
        var h: Double
    }

    struct BarcodeFields: Decodable {
        var format: String?
        var display: String?
        var redacted: [String]?

        /// On one line, without anything that a terminal would obey.
        var label: String {
            let format = format ?? "(not read)"
            guard let display else {
                return self.format == nil ? format : "\(format) \(redacted == nil ? "(binary)" : "(redacted)")"
            }
            let scalars = display.unicodeScalars.map { scalar in
                scalar.properties.generalCategory == .control ? " " : scalar
            }
            return "\(format) \(String(String.UnicodeScalarView(scalars)))"
        }
    }

    struct LabelledFields: Decodable {
        struct Label: Decodable {
            var text: String
        }

        var labels: [Label]?
    }

    struct FrameFields: Decodable {
        var presentationTime: Int64

        private enum CodingKeys: String, CodingKey {
            case presentationTime = "pts_ns"
        }
    }

    var type: String
    var pipeline: String?
    var detector: String?
    var kind: String?
    var frame: FrameFields?
    var track: TrackFields?
    var box: BoxFields?
    var confidence: Double?
    var barcode: BarcodeFields?
    var object: LabelledFields?
    var reason: String?
    var durationMilliseconds: Int?
    var frames: Int?
    var state: String?
    var operational: Bool?
    var model: String?
    var error: String?
    var tracks: [WatchedTrack]?

    private enum CodingKeys: String, CodingKey {
        case type, pipeline, detector, kind, frame, track, box, confidence, barcode, object, reason, frames, state,
            operational,
            model, error, tracks
        case durationMilliseconds = "duration_ms"
    }

    init?(_ line: [UInt8]) {
        guard let decoded = try? JSONDecoder().decode(WatchedLine.self, from: Data(line)) else { return nil }
        self = decoded
    }

    var isTrackLine: Bool { ["detected", "update", "missing", "completed"].contains(type) }

    /// What the feature is, for people: a barcode's text, an object's label.
    var what: String {
        if let barcode { return barcode.label }
        if let label = object?.labels?.first?.text { return label }
        return ""
    }

    var place: String {
        guard let box else { return "" }
        return "\(Int(box.w))x\(Int(box.h)) at \(Int(box.x)),\(Int(box.y))"
    }
}

/// A live track in a `state` line.
struct WatchedTrack: Decodable {
    var pipeline: String
    var detector: String
    var kind: String
    var track: WatchedLine.TrackFields
    var box: WatchedLine.BoxFields?
    var barcode: WatchedLine.BarcodeFields?
    var object: WatchedLine.LabelledFields?
}
