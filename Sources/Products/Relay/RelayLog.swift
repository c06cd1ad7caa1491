// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The relay's log on standard error, one line an entry. Under systemd each line begins with its priority
/// (sd-daemon(3)).
package struct RelayLog: Sendable {
    package enum Level: Int, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
    }

    private let isUnderSystemd = getenv("JOURNAL_STREAM") != nil

    package init() {}

    package func callAsFunction(_ level: Level, _ text: String) {
        write((isUnderSystemd ? "<\(level.rawValue)>" : "glimpsed-relay: \(level): ") + text)
    }

    /// Writes a line without a level. A broker's text may have control characters, which must not reach a terminal.
    package func write(_ text: String) {
        let plain = text.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
        var rest = (plain + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { rest.removeFirst(count) } else if errno != EINTR { return }
        }
    }
}
