// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The sockets that the service manager opened for this process: sd_listen_fds(3).
package struct PassedSockets: Sendable, Equatable {
    private static let first: CInt = 3
    private static let most = 64

    /// The descriptors by `FileDescriptorName=`. The first socket of each name counts.
    private var descriptors: [String: CInt] = [:]
    /// Warnings about passed sockets that cannot be used.
    package private(set) var warnings: [String] = []

    /// Without any sockets.
    package init() {}

    /// - Parameters:
    ///   - environment: returns $LISTEN_PID, $LISTEN_FDS and $LISTEN_FDNAMES.
    ///   - process: the id of this process. Sockets passed to another process are ignored.
    package init(environment: (String) -> String?, process: pid_t) {
        guard let pid = environment("LISTEN_PID").flatMap({ pid_t($0) }), pid == process,
            let count = environment("LISTEN_FDS").flatMap({ Int($0) }), count > 0
        else { return }
        guard count <= Self.most else {
            warnings.append("the service manager passed \(count) sockets, more than \(Self.most): none is used")
            return
        }
        let names =
            environment("LISTEN_FDNAMES")?.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            ?? []
        for index in 0..<count {
            let name = names.indices.contains(index) ? names[index] : "unknown"
            if descriptors[name] == nil {
                descriptors[name] = Self.first + CInt(index)
            } else {
                warnings.append(
                    "the service manager passed more than one socket with the name \(name): the first is used")
            }
        }
    }

    /// Takes the sockets of this process; call it once. It removes the variables, so that children do not see them, and
    /// marks the descriptors as closed on exec.
    ///
    /// - Parameter networkNames: the names of sockets that may be network sockets. All others must be Unix sockets.
    package static func take(networkNames: Set<String> = []) -> PassedSockets {
        var passed = PassedSockets(environment: { getenv($0).map { String(cString: $0) } }, process: getpid())
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        for (name, descriptor) in passed.descriptors {
            let mayBeNetwork = networkNames.contains(name)
            guard isListening(descriptor, mayBeNetwork: mayBeNetwork) else {
                let kind = mayBeNetwork ? "socket" : "Unix socket"
                passed.warnings.append("the service manager's socket \(name) is not a listening \(kind)")
                passed.descriptors[name] = nil
                continue
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
        return passed
    }

    /// Gives out each socket once; the caller then owns it.
    package mutating func take(_ name: String) -> CInt? { descriptors.removeValue(forKey: name) }

    /// The names of sockets that were not taken.
    package var left: [String] { descriptors.keys.sorted() }

    private static func isListening(_ descriptor: CInt, mayBeNetwork: Bool) -> Bool {
        func option(_ name: CInt) -> CInt? {
            var (value, length) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
            return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
        }
        return (mayBeNetwork || option(SO_DOMAIN) == AF_UNIX) && option(SO_ACCEPTCONN) == 1
            && option(SO_TYPE) == CInt(bitPattern: SOCK_STREAM.rawValue)
    }
}
