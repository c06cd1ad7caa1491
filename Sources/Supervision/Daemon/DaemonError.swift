import Settings
import UnixSocket
import Workers

/// Why the daemon did not start.
package enum DaemonError: Error, CustomStringConvertible {
    /// Every problem of the configuration.
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
