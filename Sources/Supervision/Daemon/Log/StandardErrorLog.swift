// SPDX-License-Identifier: Apache-2.0
import EventLog
import Glibc
import JSONLines
import Logging
import Observations
import LogSupport

/// The daemon's log on standard error. Each entry is one line and is written at once.
package struct StandardErrorLog: LogHandler {
    package enum Format: Sendable {
        /// `2026-11-20T18:32:16.000000000Z warning: message pipeline=door`
        case text
        /// One object per line: `time`, `level`, `message`, and the metadata.
        case json
        /// `<4>message pipeline=door`: the priorities of sd-daemon(3). The journal adds the time itself.
        case journal
    }

    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let format: Format

    package init(format: Format, level: Logger.Level) {
        self.format = format
        logLevel = level
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        log(
            level: event.level, message: event.message.description,
            metadata: metadata.merging(event.metadata ?? [:]) { $1 })
    }

    func log(level: Logger.Level, message: String, metadata: Logger.Metadata) {
        let pairs = metadata.sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) }
        var line = Self.line(format, level: level, message: message, metadata: pairs, time: Moment.now.time)
        line.append(UInt8(ascii: "\n"))
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { rest.removeFirst(count) } else if errno != EINTR { return }
        }
    }

    static func line(
        _ format: Format, level: Logger.Level, message: String, metadata: [(key: String, value: String)],
        time: Timestamp
    ) -> [UInt8] {
        if format == .json {
            var json = JSONWriter(reservingCapacity: 256)
            json.object { json in
                json.member("time", time.rfc3339)
                json.member("level", level.rawValue)
                json.member("message", message)
                for pair in metadata { json.member(dynamicKey: pair.key, pair.value) }
            }
            return json.bytes
        }
        let head = format == .journal ? "<\(level.priority)>" : "\(time.rfc3339) \(level.rawValue): "
        return Array((head + text(message, metadata)).utf8)
    }

    /// An entry for people on one line. Control characters are replaced, so that texts from a camera cannot control a
    /// terminal. The `LoggedEvent` name is left out, because it is for programs.
    static func text(_ message: String, _ metadata: [(key: String, value: String)]) -> String {
        let pairs = metadata.lazy.filter { $0.key != LoggedEvent.key }.map { " \($0.key)=\($0.value)" }
        let text = message + pairs.joined()
        return String(
            decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }
}

extension Logger.Level {
    /// The priority of syslog(3).
    var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
