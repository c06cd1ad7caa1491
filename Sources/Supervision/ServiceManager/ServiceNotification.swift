/// What a service says to its manager: sd_notify(3)'s assignments, one datagram each.
package enum ServiceNotification: Sendable, Equatable {
    /// Started, or through with a reload.
    case ready(status: String)
    /// - Parameter monotonicMicroseconds: CLOCK_MONOTONIC when the reload began, as `Type=notify-reload` wants it.
    case reloading(monotonicMicroseconds: UInt64)
    case stopping(status: String)
    /// One line of text that `systemctl status` shows.
    case status(String)
    /// The service is alive: systemd.service(5), WatchdogSec=.
    case watchdog

    /// The datagram's text.
    package var text: String {
        switch self {
        case .ready(let status): "READY=1\nSTATUS=\(Self.line(status))"
        case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
        case .stopping(let status): "STOPPING=1\nSTATUS=\(Self.line(status))"
        case .status(let status): "STATUS=\(Self.line(status))"
        case .watchdog: "WATCHDOG=1"
        }
    }

    /// Without anything that would begin another assignment, or that a terminal would obey.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }
}
