// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The identity of the peer of a Unix socket, as the kernel recorded it when the connection was made (unix(7),
/// SO_PEERCRED and SO_PEERGROUPS). A peer cannot forge it, and later changes of the peer do not affect it.
package struct Peer: Sendable, Equatable {
    package var process: pid_t
    package var user: uid_t
    /// The effective group.
    package var group: gid_t
    package var supplementaryGroups: [gid_t]

    package init(process: pid_t, user: uid_t, group: gid_t, supplementaryGroups: [gid_t]) {
        self.process = process
        self.user = user
        self.group = group
        self.supplementaryGroups = supplementaryGroups
    }

    /// - Parameter descriptor: a connected Unix socket; the caller keeps it.
    /// - Throws: `SocketError` if the kernel does not report the identity.
    package init(of descriptor: CInt) throws(SocketError) {
        // The layout of `struct ucred`, which Glibc's module lacks: pid, uid and gid, 32 bits each.
        var credentials: (pid_t, uid_t, gid_t) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
            throw SocketError("cannot read the identity of the peer: \(String(cString: strerror(errno)))")
        }
        (process, user, group) = credentials
        supplementaryGroups = try Self.groups(descriptor)
    }

    private static func groups(_ descriptor: CInt) throws(SocketError) -> [gid_t] {
        var groups = [gid_t](repeating: 0, count: 64)
        while true {
            var length = socklen_t(groups.count * MemoryLayout<gid_t>.stride)
            if getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / MemoryLayout<gid_t>.stride))
            }
            // With ERANGE, `length` is the required size. There are never more groups than NGROUPS_MAX.
            guard errno == ERANGE, groups.count < 65_536 else {
                throw SocketError("cannot read the groups of the peer: \(String(cString: strerror(errno)))")
            }
            groups = Array(repeating: 0, count: min(65_536, max(groups.count * 2, Int(length) / 4)))
        }
    }
}
