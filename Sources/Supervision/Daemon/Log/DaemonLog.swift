// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import Settings

/// Selects the destination of the daemon's log: `daemon.log_format`.
package enum DaemonLog {
    package static func make(_ settings: DaemonSettings.Daemon) -> any LogHandler {
        let level = Logger.Level(rawValue: settings.logLevel.rawValue) ?? .info
        switch settings.logFormat {
        case .text: return StandardErrorLog(format: .text, level: level)
        case .json: return StandardErrorLog(format: .json, level: level)
        case .auto where !isUnderJournal: return StandardErrorLog(format: .text, level: level)
        case .auto, .journal: return JournalLog(level: level) ?? StandardErrorLog(format: .journal, level: level)
        }
    }

    /// Whether standard error is connected to the system journal: systemd.exec(5), JOURNAL_STREAM.
    private static var isUnderJournal: Bool {
        guard let value = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: value) == "\(status.st_dev):\(status.st_ino)"
    }
}
