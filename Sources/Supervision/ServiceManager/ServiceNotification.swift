// SPDX-License-Identifier: Apache-2.0
/// The messages of a service to its manager: assignments of sd_notify(3), one datagram each.
package enum ServiceNotification: Sendable, Equatable {
    /// The service has started, or has finished a reload.
    case ready(status: String)
    /// - Parameter monotonicMicroseconds: CLOCK_MONOTONIC when the reload began, as `Type=notify-reload` requires.
    case reloading(monotonicMicroseconds: UInt64)
    case stopping(status: String)
    /// A line of text for `systemctl status`.
    case status(String)
    /// The service is alive: systemd.service(5), WatchdogSec=.
    case watchdog

    /// The text of the datagram.
    package var text: String {
        switch self {
        case .ready(let status): "READY=1\nSTATUS=\(Self.line(status))"
        case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
        case .stopping(let status): "STOPPING=1\nSTATUS=\(Self.line(status))"
        case .status(let status): "STATUS=\(Self.line(status))"
        case .watchdog: "WATCHDOG=1"
        }
    }

    /// Replaces control characters, which could begin another assignment or control a terminal.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }
}
