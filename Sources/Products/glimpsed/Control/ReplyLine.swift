import FoundationEssentials

/// The daemon's reply to a command.
struct ReplyLine: Decodable {
    struct Problem: Decodable {
        var text: String
    }

    struct Change: Decodable {
        var pipeline: String
        var keys: [String]
        var means: String?
    }

    struct Pipeline: Decodable {
        struct Source: Decodable {
            var received: UInt64
            var fps: Double?
        }

        struct Latency: Decodable {
            var p50: UInt64
            var p95: UInt64
        }

        struct SmallFaces: Decodable {
            var faces: UInt64
            var min_size: Double
        }

        struct Detector: Decodable {
            var name: String
            var operational: Bool?
            var reason: String?
            var fps: Double?
            var processed: UInt64?
            var dropped: [String: UInt64]?
            var refused_detections: UInt64?
            var evicted_tracks: UInt64?
            var too_small: SmallFaces?
            var latency_us: Latency?
        }

        struct Pictures: Decodable {
            var waiting: UInt64
            var written: UInt64
            var refused: UInt64
            var failed: UInt64
            var deleted: UInt64
        }

        var name: String
        var state: String
        var reason: String?
        var last_error: String?
        var pid: Int?
        var uptime_ms: Int64?
        var restarts: Int
        var memory_bytes: Int?
        var tracks: Int
        var source: Source
        var pictures: Pictures?
        var detectors: [Detector]
    }

    struct Journal: Decodable {
        var writing: Bool
        var error: String?
        var first: UInt64?
        var last: UInt64?
        var bytes: Int
        var dropped: UInt64
    }

    var ok: Bool
    var journal: Journal?
    var error: String?
    var server: String?
    var pid: Int?
    var uptime_ms: Int64?
    var config: String?
    var revision: UInt64?
    var subscribers: Int?
    var pipeline: String?
    var state: String?
    var file: String?
    var pipelines: [Pipeline]?
    var problems: [Problem]?
    var dry_run: Bool?
    var added: [String]?
    var removed: [String]?
    var changed: [Change]?
    var unchanged: [String]?
    var applied: [String]?
    var restart_needed: [String]?
    /// The line as received.
    private(set) var bytes: [UInt8] = []

    private enum CodingKeys: String, CodingKey {
        case ok, error, server, pid, uptime_ms, config, revision, subscribers, pipeline, state, file, pipelines
        case problems, dry_run, added, removed, changed, unchanged, applied, restart_needed, journal
    }

    /// - Returns: nil if the line is not a reply.
    init?(_ line: [UInt8]) {
        guard let reply = try? JSONDecoder().decode(ReplyLine.self, from: Data(line)) else { return nil }
        self = reply
        bytes = line
    }
}
