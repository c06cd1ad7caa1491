// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import ServiceManager
import Synchronization
import LogSupport

/// The daemon's log in the system journal, with its metadata as fields: `journalctl PIPELINE=door`, `journalctl
/// MESSAGE_ID=...`.
///
/// Logging never blocks. Entries for which the journal has no room are dropped and counted, and the next entry taken
/// reports their number. Entries that the journal refuses go to standard error.
package struct JournalLog: LogHandler {
    package static let socketPath = "/run/systemd/journal/socket"

    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let journal: Journal
    private let otherwise: StandardErrorLog

    /// - Returns: nil if this machine has no system journal.
    package init?(path: String = socketPath, level: Logger.Level) {
        guard access(path, W_OK) == 0, let journal = Journal(path: path) else { return nil }
        self.journal = journal
        logLevel = level
        otherwise = StandardErrorLog(format: .journal, level: level)
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let pairs = metadata.merging(event.metadata ?? [:]) { $1 }
        if journal.write(Self.entry(level: event.level, message: event.message.description, metadata: pairs)) { return }
        otherwise.log(level: event.level, message: event.message.description, metadata: pairs)
    }

    static func entry(level: Logger.Level, message: String, metadata: Logger.Metadata) -> JournalEntry {
        let pairs = metadata.sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) }
        var entry = JournalEntry(
            message: StandardErrorLog.text(message, pairs), priority: level.priority, identifier: "glimpsed")
        for (key, value) in pairs {
            entry.add(key, value)
            guard key == LoggedEvent.key, let event = LoggedEvent(rawValue: value) else { continue }
            entry.add("MESSAGE_ID", event.messageID)
        }
        return entry
    }

    /// The socket and the number of dropped entries.
    private final class Journal: Sendable {
        private let socket: DatagramSocket
        private let lost = Atomic<Int>(0)

        init?(path: String) {
            guard let socket = DatagramSocket(path: path) else { return nil }
            self.socket = socket
        }

        /// - Returns: false if the journal refused the entry.
        func write(_ entry: JournalEntry) -> Bool {
            switch socket.send(entry.bytes) {
            case .taken: tellOfLoss()
            case .full: lost.add(1, ordering: .relaxed)
            case .failed: return false
            }
            return true
        }

        private func tellOfLoss() {
            let count = lost.exchange(0, ordering: .relaxed)
            guard count > 0 else { return }
            let entry = JournalLog.entry(
                level: .warning, message: "the system journal dropped \(count) entries of this log", metadata: [:])
            if socket.send(entry.bytes) != .taken { lost.add(count, ordering: .relaxed) }
        }
    }
}
