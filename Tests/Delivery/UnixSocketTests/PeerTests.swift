// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing
import UnixSocket

@Suite struct PeerTests {
    @Test func theKernelReportsThePeersUserAndGroup() throws {
        let scope = TestScope()
        let path = scope.path("c.sock")
        let listening = try SocketFile.listen(path: path, mode: 0o600, group: "", setting: "control.socket")
        defer { close(listening.descriptor) }
        let client = try SocketClient(path)
        var accepted: CInt = -1
        while accepted < 0 { accepted = accept(listening.descriptor, nil, nil) }
        defer { close(accepted) }
        let peer = try Peer(of: accepted)
        #expect(peer.process == getpid() && peer.user == geteuid() && peer.group == getegid())
        let count = getgroups(0, nil)
        var groups = [gid_t](repeating: 0, count: Int(max(0, count)))
        getgroups(count, &groups)
        #expect(peer.supplementaryGroups.sorted() == groups.sorted())
        client.close()
    }

    @Test func aDescriptorOfAFileHasNoPeer() {
        #expect(throws: SocketError.self) { try Peer(of: -1) }
    }
}
