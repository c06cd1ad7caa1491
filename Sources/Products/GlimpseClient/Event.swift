// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// One line of the event stream, or the report of a lost connection.
public struct Event: Sendable {
    /// The line as received, without its newline; empty for `.disconnected`. It contains also the fields without a
    /// property here.
    public let json: [UInt8]
    /// The decoded line, by its type.
    public let content: Content
    /// The line's place in the log, from which a later subscription can resume; nil for lines of the connection itself.
    public let position: Position?
    /// The pipeline that the line is about; nil if the line concerns no pipeline.
    public let pipeline: String?
    /// The configured tags of the pipeline; empty if it has none.
    public let tags: [String: String]
    /// The time when the frame was taken or the line was written; nil for `.disconnected`.
    public let time: Timestamp?
    /// The source of `time`: `arrival` or `file`.
    public let clock: String?

    /// The types of lines. Later versions of the library may add cases.
    public enum Content: Sendable {
        /// The first line of every connection.
        case hello(Hello)
        /// The live tracks that pass the filter.
        case state(State)
        /// A step in the life of a track.
        case track(TrackEvent)
        /// A track has entered a zone, dwells in it, or has left it.
        case zone(ZoneChange)
        /// A track has crossed a line.
        case line(Crossing)
        /// A picture is complete on the disk of the daemon's machine.
        case snapshot(Snapshot)
        /// A clip of video is complete on the disk of the daemon's machine.
        case clip(Clip)
        /// A detector has processed a frame.
        case frame(ProcessedFrame)
        /// The state of a pipeline's source changed.
        case source(Source)
        /// A detector became operational, or cannot work.
        case detector(Detector)
        /// The result of a reload. It is about no pipeline, so every filter by pipeline lets it through.
        case configuration(Configuration)
        /// The state of a live search.
        case search(Search)
        /// Events that this subscriber will not receive.
        case gap(Gap)
        /// The stream was idle.
        case ping
        /// The daemon refuses the subscriber for now, and `.disconnected` follows. Or the daemon refuses the request,
        /// and this event is the last.
        case refused(reason: String)
        /// A line of an unknown type, or a line of a known type that this library cannot decode.
        case other(type: String)
        /// The connection was lost or could not be made.
        case disconnected(Disconnection)
    }

    /// Decodes a line given without its newline. Returns nil for anything but a JSON object with a `type`.
    public init?(line: [UInt8]) {
        guard let form = try? JSONDecoder().decode(LineForm.self, from: Data(line)) else { return nil }
        json = line
        content = form.content
        position = form.sequence.map { Position(runID: form.runID, sequence: $0) }
        pipeline = form.pipeline
        tags = form.tags
        time = form.time
        clock = form.clock
    }

    init(_ content: Content) {
        self.content = content
        (json, position, pipeline, tags, time, clock) = ([], nil, nil, [:], nil, nil)
    }
}

/// The envelope of a line, and the content that its type selects.
struct LineForm: Decodable {
    var content: Event.Content
    var sequence: UInt64?
    var runID: String?
    var pipeline: String?
    var tags: [String: String]
    var time: Timestamp?
    var clock: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case type, seq, pipeline, tags, time, clock, reason
        case runID = "run_id"
    }

    init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: CodingKeys.self)
        let type = try line.decode(String.self, forKey: .type)
        sequence = try? line.decodeIfPresent(UInt64.self, forKey: .seq)
        runID = try? line.decodeIfPresent(String.self, forKey: .runID)
        pipeline = try? line.decodeIfPresent(String.self, forKey: .pipeline)
        tags = (try? line.decodeIfPresent([String: String].self, forKey: .tags)) ?? [:]
        time = try? line.decodeIfPresent(Timestamp.self, forKey: .time)
        clock = try? line.decodeIfPresent(String.self, forKey: .clock)
        let known: Event.Content? =
            switch type {
            case "hello": (try? Hello(from: decoder)).map { .hello($0) }
            case "state": (try? State(from: decoder)).map { .state($0) }
            case "detected": (try? TrackEvent(.detected, from: decoder)).map { .track($0) }
            case "update": (try? TrackEvent(.update, from: decoder)).map { .track($0) }
            case "missing": (try? TrackEvent(.missing, from: decoder)).map { .track($0) }
            case "completed": (try? TrackEvent(.completed, from: decoder)).map { .track($0) }
            case "zone": (try? ZoneChange(from: decoder)).map { .zone($0) }
            case "line": (try? Crossing(from: decoder)).map { .line($0) }
            case "snapshot": (try? Snapshot(from: decoder)).map { .snapshot($0) }
            case "clip": (try? Clip(from: decoder)).map { .clip($0) }
            case "frame": (try? ProcessedFrame(from: decoder)).map { .frame($0) }
            case "source": (try? Source(from: decoder)).map { .source($0) }
            case "detector": (try? Detector(from: decoder)).map { .detector($0) }
            case "search": (try? Search(from: decoder)).map { .search($0) }
            case "config": (try? Configuration(from: decoder)).map { .configuration($0) }
            case "gap": (try? Gap(from: decoder)).map { .gap($0) }
            case "ping": .ping
            case "error": .refused(reason: (try? line.decode(String.self, forKey: .reason)) ?? "")
            default: nil
            }
        content = known ?? .other(type: type)
    }
}

/// A wall-clock time.
public struct Timestamp: Sendable, Hashable, Comparable, Decodable, CustomStringConvertible {
    /// RFC 3339 in UTC with nine decimals, like all times of the stream.
    public let description: String

    /// Takes the text as it is. `nanosecondsSince1970` checks its form.
    public init(from decoder: any Decoder) throws {
        description = try decoder.singleValueContainer().decode(String.self)
    }

    /// All texts have equal length, so the order of the texts is the order of the times.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.description < right.description }

    /// nil for a text in another form than the stream's, and for times after 2262.
    public var nanosecondsSince1970: Int64? {
        let digits = Array(description.utf8)
        guard digits.count == 30, digits[10] == UInt8(ascii: "T"), digits[29] == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int64? { Int64(String(decoding: digits[range], as: UTF8.self)) }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), let fraction = number(20..<29)
        else { return nil }
        // Days of the civil calendar: Howard Hinnant, "chrono-compatible low-level date algorithms", days_from_civil.
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        let (whole, isLate) = ((days * 24 + hour) * 60 + minute).multipliedReportingOverflow(by: 60_000_000_000)
        let (sum, isLater) = whole.addingReportingOverflow(second * 1_000_000_000 + fraction)
        return isLate || isLater ? nil : sum
    }
}
