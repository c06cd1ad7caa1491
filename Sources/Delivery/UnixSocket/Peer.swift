import Glibc

/// Who is at the other end of a Unix socket: what the kernel noted when the connection was made (unix(7), SO_PEERCRED and SO_PEERGROUPS),
/// which no peer can forge and no later change of its own alters.
package struct Peer: Sendable, Equatable {
    package var process: pid_t
    package var user: uid_t
    /// Its effective group.
    package var group: gid_t
    package var supplementaryGroups: [gid_t]

    package init(process: pid_t, user: uid_t, group: gid_t, supplementaryGroups: [gid_t]) {
        self.process = process
        self.user = user
        self.group = group
        self.supplementaryGroups = supplementaryGroups
    }

    /// - Parameter descriptor: a connected Unix socket; stays the caller's.
    /// - Throws: `SocketError` when the kernel does not say.
    package init(of descriptor: CInt) throws(SocketError) {
        // struct ucred, which Glibc's module leaves out: pid, uid, gid, 32 bits each.
        var credentials: (pid_t, uid_t, gid_t) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
            throw SocketError("cannot tell who the peer is: \(String(cString: strerror(errno)))")
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
            // ERANGE says how long it has to be; more than NGROUPS_MAX there never are.
            guard errno == ERANGE, groups.count < 65_536 else {
                throw SocketError("cannot tell the peer's groups: \(String(cString: strerror(errno)))")
            }
            groups = Array(repeating: 0, count: min(65_536, max(groups.count * 2, Int(length) / 4)))
        }
    }
}
