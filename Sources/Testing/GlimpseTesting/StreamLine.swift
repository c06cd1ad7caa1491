// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A line of the event stream as a subscriber receives it, checked to be valid JSON.
package struct StreamLine: Decodable, Sendable {
    package struct Track: Decodable, Sendable {
        package var id: String
    }

    package struct State: Decodable, Sendable {
        package var track: Track
        package var pipeline: String
    }

    package struct Pipeline: Decodable, Sendable {
        package struct Detector: Decodable, Sendable {
            package var name: String
            package var operational: Bool
        }

        package var name: String
        package var state: String
        package var detectors: [Detector]
    }

    package struct Frame: Decodable, Sendable {
        package var epoch: UInt64
        package var seq: UInt64
        package var pts_ns: Int64?
    }

    package var v: Int
    package var type: String
    package var seq: UInt64?
    package var run_id: String?
    package var next_seq: UInt64?
    package var as_of: UInt64?
    package var pipeline: String?
    package var pipelines: [Pipeline]?
    package var tracks: [State]?
    package var more: Bool?
    package var kind: String?
    package var track: Track?
    package var frame: Frame?
    package var state: String?
    package var attempt: Int?
    package var retry_ms: Int?
    package var error: String?
    package var reason: String?
    package var echo: String?
    package var stages_us: [String: UInt32]?
    package var from: UInt64?
    package var to: UInt64?
    package var lost: [String: UInt64]?
    package var coalesced: UInt64?
    package var revision: UInt64?
    package var changed: [String]?
    package var zones: [String]?
    package var zone: String?
    package var dwell_ms: Int?
    package var line: String?
    package var direction: String?
    package var `in`: Int?
    package var out: Int?
    /// The text of the line.
    package var text = ""

    private enum CodingKeys: String, CodingKey {
        case v, type, seq, run_id, next_seq, as_of, pipeline, pipelines, tracks, more, kind, track, frame, state,
            attempt
        case retry_ms, error, reason, echo, from, to, lost, coalesced, revision, changed, zones, zone, dwell_ms, line,
            direction, `in`, out,
            stages_us
    }

    package init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(StreamLine.self, from: Data(bytes))
        text = String(decoding: bytes, as: UTF8.self)
    }
}
