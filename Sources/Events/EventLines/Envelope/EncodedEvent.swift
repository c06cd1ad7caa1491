// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

/// An event as encoded bytes, with the few facts that routing needs, so that no reader has to parse the line again.
///
/// `body` is the line's JSON object after `{"v":1,` up to and including its closing brace; it starts with the `type`
/// member. The foreground command and the daemon complete the line differently: the daemon's lines carry a sequence
/// number and the run id.
public struct EncodedEvent: Sendable, Equatable {
    public enum Kind: UInt8, Sendable, CaseIterable {
        case detected = 1
        case update
        case missing
        case completed
        case source
        case detector
        case config
        /// Why detections are not tracked and why tracks ended; on request. The line is in no log and has no sequence
        /// number.
        case explain
        /// A track enters a zone, dwells in it, or leaves it.
        case zone
        /// The state of a live search changed.
        case search = 12
        /// A picture was completely written.
        case snapshot
        /// The number of tracks in a processed frame; on request. The line is in no log and has no sequence number.
        case frame
        /// A track has crossed a line.
        case line
        /// A clip is complete. Counts of lines have room for numbers below 16.
        case clip = 10

        /// The value of the `type` member.
        public var name: String {
            switch self {
            case .detected: "detected"
            case .update: "update"
            case .missing: "missing"
            case .completed: "completed"
            case .source: "source"
            case .detector: "detector"
            case .config: "config"
            case .explain: "explain"
            case .zone: "zone"
            case .search: "search"
            case .snapshot: "snapshot"
            case .frame: "frame"
            case .line: "line"
            case .clip: "clip"
            }
        }

        /// The kind with this name; nil for an unknown name.
        package init?(name: String) {
            guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = kind
        }

        /// The `type` member at the start of a body.
        var member: [UInt8] { Array("\"\(FieldName.type)\":\"\(name)\"".utf8) }

        /// Whether the line reports a step in the life of a track.
        public var isTrack: Bool {
            switch self {
            case .detected, .update, .missing, .completed: true
            default: false
            }
        }
    }

    public var header: EventHeader
    /// UTF-8. The completed line has at most `EventEncoder.maximumLineBytes`.
    public var body: [UInt8]

    public init(header: EventHeader, body: [UInt8]) {
        self.header = header
        self.body = body
    }

    public init(
        kind: Kind, detector: String = "", feature: FeatureKind? = nil, track: UInt64 = 0, body: [UInt8],
        stages: StageTimes? = nil
    ) {
        let origin = detector.isEmpty && feature == nil ? .none : EventOrigin(detector: detector, feature: feature)
        self.init(header: EventHeader(kind: kind, origin: origin, track: track, stages: stages), body: body)
    }

    public var kind: Kind { header.kind }
    public var detector: String { header.detector }
    public var feature: FeatureKind? { header.feature }
    public var track: UInt64 { header.track }
    public var stages: StageTimes? { header.stages }

    /// The line of the foreground command with `stages`, including the newline.
    public var line: [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(body.count + (stages == nil ? 10 : 128))
        line.append(contentsOf: Self.version)
        line.append(contentsOf: body)
        if let stages { line.replaceSubrange((line.count - 1)..., with: stages.ending) }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// The line without a sequence number, including the newline, for a subscriber that did not receive the `leftOut`
    /// lines before it.
    package func line(standingFor leftOut: Int) -> [UInt8] {
        var line = line
        line.replaceSubrange((line.count - 2)..., with: Self.ending(standingFor: leftOut))
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// The daemon's line for all subscribers, including the newline.
    public func line(sequence: UInt64, runID: String) -> [UInt8] {
        let head = LineHead(runID: runID)
        return [UInt8](unsafeUninitializedCapacity: head.lineBytes(of: self, sequence: sequence)) { line, count in
            if let start = line.baseAddress { count = head.write(lineOf: self, sequence: sequence, to: start) }
        }
    }

    static let version = Array("{\"\(FieldName.version)\":1,".utf8)

    /// The bytes that replace the closing brace of a line that stands for others: the member `coalesced`, then the
    /// brace.
    package static func ending(standingFor leftOut: Int) -> [UInt8] {
        Array(",\"\(FieldName.coalesced)\":\(leftOut)}".utf8)
    }

    /// The object for a live track in a `state` line: the track's newest line without `v`, `type` and `seq`.
    public var stateObject: [UInt8] {
        [UInt8(ascii: "{")] + body.dropFirst(kind.member.count + 1)
    }
}
