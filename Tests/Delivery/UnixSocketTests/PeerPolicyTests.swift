// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import UnixSocket

@Suite struct PeerPolicyTests {
    private func peer(_ user: uid_t, _ group: gid_t = 1, _ groups: [gid_t] = []) -> Peer {
        Peer(process: 1, user: user, group: group, supplementaryGroups: groups)
    }

    @Test func listedUsersAndGroupsAreAllowedPeers() {
        let policy = PeerPolicy(users: [7], groups: [20])
        #expect(policy.refusal(of: peer(7)) == nil)
        #expect(policy.refusal(of: peer(8, 20)) == nil)
        #expect(policy.refusal(of: peer(8, 1, [3, 20])) == nil)
        #expect(
            policy.refusal(of: peer(8, 7, [8]))
                == "user 8 may not give commands: control.allow_users does not list the user, and control.allow_groups lists none of the user's groups"
        )
    }

    @Test func readersHaveTheirOwnTableOfAllowedPeers() {
        #expect(PeerPolicy.everybody.refusal(of: peer(8)) == nil)
        #expect(
            PeerPolicy(.events, users: [7], groups: []).refusal(of: peer(8))
                == "user 8 may not subscribe: events.allow_users does not list the user, and events.allow_groups lists none of the user's groups"
        )
    }

    @Test func rootAndTheDaemonsUserAreAlwaysAllowedPeers() {
        let (policy, warnings) = PeerPolicy.make(userNames: [], groupNames: [])
        #expect(policy.refusal(of: peer(0)) == nil && policy.refusal(of: peer(geteuid())) == nil)
        #expect(policy.refusal(of: peer(65_533, 0, [0])) != nil)
        #expect(warnings == [])
    }

    @Test func usersOfThePeerPolicyMayBeNamesOrNumbers() {
        let (policy, warnings) = PeerPolicy.make(
            userNames: ["daemon", "4711", "no-such-user"], groupNames: ["daemon", "no-such-group"])
        let daemon = getpwnam("daemon")!.pointee
        #expect(policy.refusal(of: peer(daemon.pw_uid)) == nil)
        #expect(policy.refusal(of: peer(4711)) == nil)
        #expect(policy.refusal(of: peer(9, daemon.pw_gid)) == nil)
        #expect(
            warnings == [
                "control.allow_users: unknown user no-such-user",
                "control.allow_groups: unknown group no-such-group",
            ])
    }
}
