// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The log of a small program on standard error, one line an entry. Under systemd each line begins with its priority
/// (sd-daemon(3)). Any thread may use it.
package struct ProgramLog: Sendable {
    package enum Level: Int, Sendable {
        case error = 3
        case warning = 4
        case notice = 5
    }

    private let program: String
    private let isUnderSystemd = getenv("JOURNAL_STREAM") != nil

    /// - Parameter program: the name that begins each line outside systemd.
    package init(_ program: String) {
        self.program = program
    }

    package func callAsFunction(_ level: Level, _ text: String) {
        write((isUnderSystemd ? "<\(level.rawValue)>" : "\(program): \(level): ") + text)
    }

    /// Writes a line without a level. Control characters of a peer's text become spaces: they must not reach a
    /// terminal.
    package func write(_ text: String) {
        let plain = text.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
        var rest = (plain + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { rest.removeFirst(count) } else if errno != EINTR { return }
        }
    }
}
