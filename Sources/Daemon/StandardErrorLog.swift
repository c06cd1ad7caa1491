import Events
import Glibc
import Logging
import Observations
import Settings

/// The daemon's log on standard error, one line an entry, each written at once.
package struct StandardErrorLog: LogHandler {
    package enum Format: Sendable {
        /// `2026-11-20T18:32:16.000000000Z warning: message pipeline=door`
        case text
        /// One object a line: `time`, `level`, `message`, and the metadata.
        case json
        /// `<4>message pipeline=door`: sd-daemon(3)'s priorities; the journal has the time itself.
        case journal
    }

    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let format: Format

    package init(format: Format, level: Logger.Level) {
        self.format = format
        logLevel = level
    }

    package init(_ settings: DaemonSettings.Daemon) {
        let format: Format =
            switch settings.logFormat {
            case .text: .text
            case .json: .json
            case .journal: .journal
            case .auto: Self.isJournal ? .journal : .text
            }
        self.init(format: format, level: Logger.Level(rawValue: settings.logLevel.rawValue) ?? .info)
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let pairs = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        var line = Self.line(
            format, level: event.level, message: event.message.description,
            metadata: pairs.map { ($0.key, $0.value.description) }, time: Moment.now.time)
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
        let text = head + message + metadata.map { " \($0.key)=\($0.value)" }.joined()
        // An entry is one line, and no terminal obeys what a camera said.
        return text.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
    }

    /// Whether standard error is the journal's stream: systemd.exec(5), JOURNAL_STREAM.
    private static var isJournal: Bool {
        guard let value = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: value) == "\(status.st_dev):\(status.st_ino)"
    }
}

extension Logger.Level {
    /// syslog(3)'s.
    fileprivate var priority: Int {
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
