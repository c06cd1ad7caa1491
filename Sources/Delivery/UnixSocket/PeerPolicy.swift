// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The peers that a socket serves. Root and the daemon's own user are always admitted, because they can end the daemon
/// anyway.
///
/// The socket's mode decides which processes can connect; the policy decides which of them are admitted. Names are
/// looked up once, so that a directory server cannot delay connections.
package struct PeerPolicy: Sendable, Equatable {
    /// The purpose of a peer, and the table of the configuration with its rules.
    package struct Purpose: Sendable, Equatable {
        package var table: String
        /// The text after "may not".
        package var verb: String

        package static let commands = Purpose(table: "control", verb: "give commands")
        package static let events = Purpose(table: "events", verb: "subscribe")
    }

    private var purpose: Purpose
    private var users: Set<uid_t>
    private var groups: Set<gid_t>
    /// Whether every process that can connect is admitted.
    private var isOpen = false

    package init(_ purpose: Purpose = .commands, users: Set<uid_t>, groups: Set<gid_t>) {
        self.purpose = purpose
        self.users = users
        self.groups = groups
    }

    /// The policy that admits every peer.
    package static let everybody: PeerPolicy = {
        var policy = PeerPolicy(.events, users: [], groups: [])
        policy.isOpen = true
        return policy
    }()

    /// - Parameters:
    ///   - userNames: `allow_users`, names or numbers.
    ///   - groupNames: `allow_groups`, names or numbers.
    /// - Returns: the policy, and a warning for each unknown name.
    package static func make(
        _ purpose: Purpose = .commands, userNames: [String], groupNames: [String]
    ) -> (policy: PeerPolicy, warnings: [String]) {
        var policy = PeerPolicy(purpose, users: [0, geteuid()], groups: [])
        var warnings: [String] = []
        for name in userNames {
            if let id = uid_t(name) ?? getpwnam(name)?.pointee.pw_uid {
                policy.users.insert(id)
            } else {
                warnings.append("\(purpose.table).allow_users: unknown user \(name)")
            }
        }
        for name in groupNames {
            if let id = gid_t(name) ?? getgrnam(name)?.pointee.gr_gid {
                policy.groups.insert(id)
            } else {
                warnings.append("\(purpose.table).allow_groups: unknown group \(name)")
            }
        }
        return (policy, warnings)
    }

    /// - Returns: the reason why the peer is refused; nil if it is admitted.
    package func refusal(of peer: Peer) -> String? {
        if isOpen || users.contains(peer.user) || groups.contains(peer.group) { return nil }
        if peer.supplementaryGroups.contains(where: groups.contains) { return nil }
        return
            "user \(peer.user) may not \(purpose.verb): \(purpose.table).allow_users does not list the user, and "
            + "\(purpose.table).allow_groups lists none of the user's groups"
    }
}
