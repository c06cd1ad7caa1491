// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Observations

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
        struct Detector: Decodable {
            private enum CodingKeys: String, CodingKey { case name, operational, reason }

            var name: String
            var operational: Bool?
            var reason: String?
            var metrics: MetricsReply<LaneMetric>

            init(from decoder: any Decoder) throws {
                let object = try decoder.container(keyedBy: CodingKeys.self)
                name = try object.decode(String.self, forKey: .name)
                operational = try object.decodeIfPresent(Bool.self, forKey: .operational)
                reason = try object.decodeIfPresent(String.self, forKey: .reason)
                metrics = try MetricsReply(from: decoder)
            }
        }

        var name: String
        var state: String
        var reason: String?
        var last_error: String?
        var last_warning: String?
        var pictures_withheld: String?
        var pid: Int?
        var uptime_ms: Int64?
        var restarts: Int
        var memory_bytes: Int?
        var tracks: Int
        var source: MetricsReply<SourceMetric>
        var pictures: MetricsReply<PictureMetric>?
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
    var text: String?
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
        case ok, error, server, pid, uptime_ms, config, revision, subscribers, pipeline, state, file, text, pipelines
        case problems, dry_run, added, removed, changed, unchanged, applied, restart_needed, journal
    }

    /// - Returns: nil if the line is not a reply.
    init?(_ line: [UInt8]) {
        guard let reply = try? JSONDecoder().decode(ReplyLine.self, from: Data(line)) else { return nil }
        self = reply
        bytes = line
    }
}
