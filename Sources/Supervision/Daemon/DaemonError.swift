// SPDX-License-Identifier: Apache-2.0
import Settings
import UnixSocket
import Workers

/// The reason why the daemon did not start.
package enum DaemonError: Error, CustomStringConvertible {
    /// All errors of the configuration.
    case configuration([ConfigurationError])
    case socket(SocketError)
    case workers(WorkersError)

    package var description: String {
        switch self {
        case .configuration(let problems): problems.map(\.description).joined(separator: "\n")
        case .socket(let error): error.description
        case .workers(let error): error.description
        }
    }
}
