// SPDX-License-Identifier: Apache-2.0
import DiskJournal
import EventLog
import FoundationEssentials
import JSONLines
import MetricsText
import Observations
import Search

/// The members of a command's object. Each may be read once. `true` stands for an object without members.
struct CommandMembers {
    /// The name of any member.
    struct Key: CodingKey, Equatable {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let name: String
    private let object: KeyedDecodingContainer<Key>?
    private let line: KeyedDecodingContainer<Key>
    private let key: Key
    private var rest: Set<String>

    init(_ name: String, _ line: KeyedDecodingContainer<Key>, _ key: Key) throws(ControlRequest.Invalid) {
        (self.name, self.line, self.key) = (name, line, key)
        if (try? line.decode(Bool.self, forKey: key)) == true {
            (object, rest) = (nil, [])
            return
        }
        guard let object = try? line.nestedContainer(keyedBy: Key.self, forKey: key) else {
            throw .init(reason: "\(name): expected an object, or true")
        }
        self.object = object
        rest = Set(object.allKeys.map(\.stringValue))
    }

    func has(_ key: String) -> Bool { rest.contains(key) }

    mutating func text(_ key: String) throws(ControlRequest.Invalid) -> String {
        rest.remove(key)
        guard let text = try? object?.decode(String.self, forKey: Key(stringValue: key)), !text.isEmpty else {
            throw .init(reason: "\(name).\(key): expected a name")
        }
        return text
    }

    /// A whole number; `otherwise` without a member.
    mutating func number(
        _ key: String, _ range: ClosedRange<Int>, otherwise: Int
    ) throws(ControlRequest.Invalid) -> Int {
        guard rest.remove(key) != nil else { return otherwise }
        guard let number = try? object?.decode(Int.self, forKey: Key(stringValue: key)), range.contains(number) else {
            throw .init(
                reason: "\(name).\(key): expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A text for the log: at most 128 printable ASCII characters. nil without a member.
    mutating func label(_ key: String) throws(ControlRequest.Invalid) -> String? {
        guard rest.contains(key) else { return nil }
        let label = try text(key)
        guard label.utf8.count <= 128, label.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .init(reason: "\(name).\(key): expected at most 128 printable ASCII characters")
        }
        return label
    }

    mutating func flag(_ key: String) throws(ControlRequest.Invalid) -> Bool {
        guard rest.remove(key) != nil else { return false }
        guard let flag = try? object?.decode(Bool.self, forKey: Key(stringValue: key)) else {
            throw .init(reason: "\(name).\(key): expected true or false")
        }
        return flag
    }

    /// Whether a mode is that of video; pictures without a member.
    mutating func isVideo(_ key: String) throws(ControlRequest.Invalid) -> Bool {
        guard rest.contains(key) else { return false }
        let mode = try text(key)
        guard ["jpeg", "h264"].contains(mode) else {
            throw .init(reason: "\(name).\(key): expected \"jpeg\" or \"h264\"")
        }
        return mode == "h264"
    }

    /// The format of metrics; the Prometheus text format without a member.
    mutating func metricsFormat() throws(ControlRequest.Invalid) -> MetricsFormat {
        guard rest.contains("format") else { return .prometheus }
        guard let format = MetricsFormat(rawValue: try text("format")) else {
            let names = MetricsFormat.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            throw .init(reason: "\(name).format: expected \(names)")
        }
        return format
    }

    /// A track id in the form of events: a string of digits.
    mutating func track(_ key: String) throws(ControlRequest.Invalid) -> UInt64? {
        guard rest.remove(key) != nil else { return nil }
        let text = try? object?.decode(String.self, forKey: Key(stringValue: key))
        guard let track = text.flatMap({ UInt64($0) }), track > 0 else {
            throw .init(reason: "\(name).\(key): expected a track's id from its events, such as \"12\"")
        }
        return track
    }

    /// The number of an event.
    mutating func sequenceNumber(_ key: String) throws(ControlRequest.Invalid) -> UInt64 {
        rest.remove(key)
        guard let number = try? object?.decode(UInt64.self, forKey: Key(stringValue: key)) else {
            throw .init(reason: "\(name).\(key): expected an event's sequence number")
        }
        return number
    }

    /// A time; nil without a member.
    private mutating func time(_ key: String) throws(ControlRequest.Invalid) -> Timestamp? {
        guard rest.contains(key) else { return nil }
        guard let time = Timestamp(rfc3339: try text(key)) else {
            throw .init(reason: "\(name).\(key): expected a time such as \"2026-11-20T08:00:00.000000000Z\"")
        }
        return time
    }

    mutating func historyQuery() throws(ControlRequest.Invalid) -> History.Query {
        var query = History.Query()
        (query.since, query.until) = (try time("since"), try time("until"))
        if rest.contains("pipeline") { query.pipelines = [try text("pipeline")] }
        if rest.contains("zone") { query.zones = [try text("zone")] }
        if rest.contains("value") { query.value = try text("value") }
        if rest.contains("kind") {
            guard let kind = FeatureKind(rawValue: try text("kind")) else {
                throw .init(reason: "\(name).kind: expected a kind of feature, such as \"barcode\"")
            }
            query.kinds = [kind]
        }
        query.limit = try number("limit", 1...1000, otherwise: 100)
        return query
    }

    mutating func clipQuery() throws(ControlRequest.Invalid) -> ClipQuery {
        let pipeline = rest.contains("pipeline") ? try text("pipeline") : nil
        let (since, until) = (try time("since"), try time("until"))
        return ClipQuery(
            pipeline: pipeline, since: since, until: until, limit: try number("limit", 1...1000, otherwise: 100))
    }

    /// The selection of `forget`: `"all": true`, or at least one condition.
    mutating func forgetSelection() throws(ControlRequest.Invalid) -> ForgetSelection {
        let isAll = try flag("all")
        var selection = ForgetSelection()
        if rest.contains("pipeline") { selection.pipeline = try text("pipeline") }
        if rest.contains("detector") { selection.detector = try text("detector") }
        selection.track = try track("track")
        selection.before = try time("before")
        guard isAll == (selection == ForgetSelection()) else {
            throw .init(reason: "\(name): expected either all, or any of pipeline, before, detector and track")
        }
        guard selection.track == nil || selection.detector != nil else {
            throw .init(reason: "\(name).track: expected a detector too, because ids count for each detector")
        }
        return selection
    }

    /// Decodes the whole object, for commands with their own form.
    private func form<Form: Decodable>(_ type: Form.Type) throws -> Form { try line.decode(type, forKey: key) }

    mutating func selection() throws(ControlRequest.Invalid) -> SearchCommand {
        guard let track = try track("id") else {
            throw .init(reason: "\(name).id: expected a track's id from its events, such as \"12\"")
        }
        return .select(TrackID(track))
    }

    /// A subscriber's answer to a search.
    mutating func answer() throws(ControlRequest.Invalid) -> SearchCommand {
        let query = try text("search")
        rest.subtract(["results", "error", "retryable"])
        do {
            return .answer(query: query, try form(SearchAnswerForm.self).answer)
        } catch let invalid as ControlRequest.Invalid {
            throw invalid
        } catch {
            throw .init(reason: "\(name): expected results or error")
        }
    }

    func finish() throws(ControlRequest.Invalid) {
        guard let unknown = rest.min() else { return }
        throw .init(reason: "unknown key \(name).\(unknown.prefix(64))")
    }
}
