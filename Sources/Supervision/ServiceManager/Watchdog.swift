// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The watchdog interval of the service manager: sd_watchdog_enabled(3).
package enum Watchdog {
    /// - Returns: the limit after which the manager considers the service dead; nil if it does not watch this process.
    package static func limit(environment: (String) -> String?, process: pid_t) -> Duration? {
        guard let microseconds = environment("WATCHDOG_USEC").flatMap({ Int64($0) }), microseconds > 0 else {
            return nil
        }
        if let pid = environment("WATCHDOG_PID"), pid_t(pid) != process { return nil }
        return .microseconds(microseconds)
    }

    /// Takes the limit of this process; call it once. It removes the variables, so that children do not see them.
    package static func takeLimit() -> Duration? {
        defer { for name in ["WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) } }
        return limit(environment: { getenv($0).map { String(cString: $0) } }, process: getpid())
    }
}
