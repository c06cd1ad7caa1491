// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations
import Pipelines
import Search
import Tracking

/// A tape's first record: the pipeline that was recorded.
package struct TapeHeader: Sendable, Equatable {
    /// The clock of the recorded lines without a frame.
    package var clock: ClockSource
    /// The pipeline's file as TOML, without its source.
    package var configuration: String
    /// The lowest id of a track.
    package var firstTrack: TrackID
    /// Whether explain lines were written.
    package var explains: Bool
    /// The names of the detectors; records refer to them by index.
    package var lanes: [String]

    package init(
        clock: ClockSource, configuration: String, firstTrack: TrackID = TrackID(1), explains: Bool = false,
        lanes: [String]
    ) {
        self.clock = clock
        self.configuration = configuration
        self.firstTrack = firstTrack
        self.explains = explains
        self.lanes = lanes
    }
}

/// A record after the header. Records are in the order in which their lines were written.
package enum TapeRecord: Sendable, Equatable {
    /// - lane: its index in the header.
    case lane(Int, LaneInput, time: Timestamp)
    case source(SourceInput, time: Timestamp)
    /// The regular end of the recording; no record follows.
    case end

    enum Tag: UInt8 {
        case header = 1
        case status, results, failed, focus, complete, source, end, zones, rules
        case search = 12
        case pictured = 16
        case unchanged, lines, opened
    }
}

extension TapeHeader {
    func put(to bytes: inout [UInt8]) {
        bytes.append(TapeRecord.Tag.header.rawValue)
        bytes.put(clock)
        bytes.put(configuration)
        bytes.put(firstTrack.number)
        bytes.put(explains)
        bytes.put(all: lanes) { $0.put($1) }
    }

    init(payload: ArraySlice<UInt8>) throws(ByteReader.Malformed) {
        var reader = ByteReader(payload)
        guard try reader.byte() == TapeRecord.Tag.header.rawValue else { throw ByteReader.Malformed() }
        self.init(
            clock: try reader.name(), configuration: try reader.text(),
            firstTrack: TrackID(try reader.unsigned()), explains: try reader.bool(),
            lanes: try reader.all { reader throws(ByteReader.Malformed) in try reader.text() })
        try reader.finish()
    }
}

extension TapeRecord {
    func put(to bytes: inout [UInt8]) {
        switch self {
        case .lane(let lane, let input, let time): Self.put(lane, input, time, to: &bytes)
        case .source(let input, let time):
            bytes.append(Tag.source.rawValue)
            bytes.put(time.nanoseconds)
            bytes.put(input.state)
            bytes.put(input.frame) { $1.put(to: &$0) }
            bytes.put(input.error) { $0.put($1) }
        case .end: bytes.append(Tag.end.rawValue)
        }
    }

    static func put(_ lane: Int, _ input: LaneInput, _ time: Timestamp, to bytes: inout [UInt8]) {
        bytes.append(input.tag.rawValue)
        bytes.put(count: lane)
        bytes.put(time.nanoseconds)
        switch input {
        case .status(let status):
            bytes.put(status.kind)
            bytes.put(status.isOperational)
            bytes.put(status.model) { $0.put($1) }
            bytes.put(status.reason) { $0.put($1) }
            bytes.put(status.frame) { $1.put(to: &$0) }
        case .results(let results, let withheld):
            results.frame.put(to: &bytes)
            bytes.put(results.detectorIsOperational)
            bytes.put(all: results.detections) { $1.put(to: &$0) }
            bytes.put(all: withheld) { $1.put(to: &$0) }
        case .opened(let gate, let frame):
            gate.put(to: &bytes)
            frame.put(to: &bytes)
        case .unchanged(let frame), .failed(let frame): frame.put(to: &bytes)
        case .focus(let id): bytes.put(id?.number) { $0.put($1) }
        case .rules(let tracking, let maximumRate):
            tracking.put(to: &bytes)
            bytes.put(maximumRate)
        case .zones(let zones): bytes.put(all: zones) { $1.put(to: &$0) }
        case .lines(let lines): bytes.put(all: lines) { $1.put(to: &$0) }
        case .pictured(let picture): picture.put(to: &bytes)
        case .complete(let reason): bytes.put(reason)
        case .search(let input): input.put(to: &bytes)
        }
    }

    init(payload: ArraySlice<UInt8>, lanes: [String]) throws(ByteReader.Malformed) {
        var reader = ByteReader(payload)
        switch Tag(rawValue: try reader.byte()) {
        case .source:
            let time = Timestamp(nanoseconds: try reader.signed())
            let input = SourceInput(
                state: try reader.name(),
                frame: try reader.optional { reader throws(ByteReader.Malformed) in try FrameInfo(from: &reader) },
                error: try reader.optional { reader throws(ByteReader.Malformed) in try reader.text() })
            self = .source(input, time: time)
        case .end: self = .end
        case .status, .results, .opened, .unchanged, .failed, .focus, .rules, .zones, .lines, .pictured, .search,
            .complete:
            let tag = payload[payload.startIndex]
            let lane = try reader.unsigned()
            guard lane < lanes.count else { throw ByteReader.Malformed() }
            let time = Timestamp(nanoseconds: try reader.signed())
            self = .lane(Int(lane), try LaneInput(tag, from: &reader, detector: lanes[Int(lane)]), time: time)
        case .header, nil: throw ByteReader.Malformed()
        }
        try reader.finish()
    }
}

extension LaneInput {
    fileprivate var tag: TapeRecord.Tag {
        switch self {
        case .status: .status
        case .results: .results
        case .opened: .opened
        case .unchanged: .unchanged
        case .failed: .failed
        case .focus: .focus
        case .rules: .rules
        case .zones: .zones
        case .lines: .lines
        case .pictured: .pictured
        case .complete: .complete
        case .search: .search
        }
    }

    fileprivate init(_ tag: UInt8, from reader: inout ByteReader, detector: String) throws(ByteReader.Malformed) {
        switch TapeRecord.Tag(rawValue: tag) {
        case .status:
            self = .status(
                DetectorStatus(
                    detector: detector, kind: try reader.name(), isOperational: try reader.bool(),
                    model: try reader.optional { reader throws(ByteReader.Malformed) in try reader.text() },
                    reason: try reader.optional { reader throws(ByteReader.Malformed) in try reader.text() },
                    frame: try reader.optional { reader throws(ByteReader.Malformed) in try FrameInfo(from: &reader) }))
        case .results:
            let (frame, isOperational) = (try FrameInfo(from: &reader), try reader.bool())
            let detections = try reader.all { reader throws(ByteReader.Malformed) in try Detection(from: &reader) }
            let withheld = try reader.all { reader throws(ByteReader.Malformed) in
                try Explanation.Untracked(from: &reader)
            }
            let results = DetectionResults(
                detector: detector, frame: frame, detections: detections, detectorIsOperational: isOperational)
            self = .results(results, withheld: withheld)
        case .opened: self = .opened(try GateOpening(from: &reader), try FrameInfo(from: &reader))
        case .unchanged: self = .unchanged(try FrameInfo(from: &reader))
        case .failed: self = .failed(try FrameInfo(from: &reader))
        case .focus:
            self = .focus(try reader.optional { reader throws(ByteReader.Malformed) in TrackID(try reader.unsigned()) })
        case .rules:
            self = .rules(try TrackerConfiguration(from: &reader), maximumRate: try reader.quantity())
        case .zones:
            self = .zones(try reader.all { reader throws(ByteReader.Malformed) in try Zone(from: &reader) })
        case .lines:
            self = .lines(try reader.all { reader throws(ByteReader.Malformed) in try CrossingLine(from: &reader) })
        case .pictured: self = .pictured(try SnapshotEvent(from: &reader, detector: detector))
        case .complete: self = .complete(try reader.name())
        case .search: self = .search(try SearchInput(from: &reader))
        case .header, .source, .end, nil: throw ByteReader.Malformed()
        }
    }
}
