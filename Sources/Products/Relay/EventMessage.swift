// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseClient
import JSONLines

/// The payloads of messages about events.
enum EventMessage {
    /// The event's line with `event_type`, which equals `type`.
    static func payload(_ event: Event, type: String) -> [UInt8] {
        var bytes = Array("{\"event_type\":\"\(type)\",".utf8)
        bytes.reserveCapacity(bytes.count + event.json.count)
        bytes += event.json.dropFirst()
        return bytes
    }

    /// Events that no destination receives; nil if none of `types` was lost.
    ///
    /// - Parameters:
    ///   - run: the run of the lost events.
    ///   - after: the last event before the gap.
    static func gap(_ gap: Gap, run: String?, after: UInt64?, types: Set<String>) -> [UInt8]? {
        let lost = gap.lost.map { lost in lost.filter { types.contains($0.key) && $0.value > 0 } }
        if let lost, lost.isEmpty { return nil }
        var json = JSONWriter()
        json.object { json in
            if let run { json.member("run_id", run) }
            if let from = gap.from ?? after.map({ $0 + 1 }) { json.member("from", from) }
            if let to = gap.to { json.member("to", to) }
            if let lost {
                json.object("lost") { json in
                    for (type, count) in lost.sorted(by: { $0.key < $1.key }) { json.member(dynamicKey: type, count) }
                }
            }
        }
        return json.bytes
    }

    /// A barcode that was read; nil for a symbol without a value. A redacted value is absent.
    static func barcode(_ barcode: Barcode) -> [UInt8]? {
        guard let format = barcode.format else { return nil }
        var json = JSONWriter()
        json.object { json in
            json.member("event_type", "read")
            json.member("format", format)
            if barcode.redacted == nil, let value = barcode.raw { json.member("value", value) }
            if let valueFormat = barcode.valueFormat { json.member("value_format", valueFormat) }
        }
        return json.bytes
    }
}

extension Event {
    /// Whether its frame was taken, or its line written, less than `age` ago. A file's frames have no age.
    func isYounger(than age: Duration) -> Bool {
        guard clock != "file", let time = time?.nanosecondsSince1970 else { return true }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec) - .nanoseconds(time) < age
    }

    /// The `type` of an event of the log; nil for lines of the connection.
    var type: String? {
        switch content {
        case .track(let track): track.phase.rawValue
        case .zone: "zone"
        case .line: "line"
        case .snapshot: "snapshot"
        case .clip: "clip"
        case .source: "source"
        case .detector: "detector"
        case .configuration: "config"
        case .search: "search"
        case .other(let type): type
        case .hello, .state, .frame, .gap, .ping, .refused, .disconnected: nil
        }
    }
}
