import Glibc
import UnixSocket

/// Who may give commands. Root and the daemon's own user always may: they can end the daemon anyway.
///
/// The socket's mode decides who can connect at all; this decides who of those is heard. Names are looked up once, so that no directory
/// server has a say in how long a connection takes.
package struct PeerPolicy: Sendable, Equatable {
    private var users: Set<uid_t>
    private var groups: Set<gid_t>

    package init(users: Set<uid_t>, groups: Set<gid_t>) {
        self.users = users
        self.groups = groups
    }

    /// - Parameters:
    ///   - userNames: `control.allow_users`, names or numbers.
    ///   - groupNames: `control.allow_groups`, names or numbers.
    /// - Returns: the policy, and a warning for each name that nobody has.
    package static func make(
        userNames: [String], groupNames: [String]
    ) -> (policy: PeerPolicy, warnings: [String]) {
        var policy = PeerPolicy(users: [0, geteuid()], groups: [])
        var warnings: [String] = []
        for name in userNames {
            if let id = uid_t(name) ?? getpwnam(name)?.pointee.pw_uid {
                policy.users.insert(id)
            } else {
                warnings.append("control.allow_users: there is no user \(name)")
            }
        }
        for name in groupNames {
            if let id = gid_t(name) ?? getgrnam(name)?.pointee.gr_gid {
                policy.groups.insert(id)
            } else {
                warnings.append("control.allow_groups: there is no group \(name)")
            }
        }
        return (policy, warnings)
    }

    /// - Returns: why the peer is not heard; nil when it is.
    package func refusal(of peer: Peer) -> String? {
        if users.contains(peer.user) || groups.contains(peer.group) { return nil }
        if peer.supplementaryGroups.contains(where: groups.contains) { return nil }
        return
            "user \(peer.user) may not give commands: control.allow_users does not name it, nor control.allow_groups "
            + "any of its groups"
    }
}
