// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing
import UnixSocket

@testable import Daemon

@Suite struct WaitingPeersTests {
    @Test func aWaitingPeerReceivesTheReasonAndTheSocketKeepsListening() throws {
        let scope = TestScope()
        let path = scope.path("e.sock")
        let listening = try SocketFile.listen(path: path, mode: 0o600, group: "", setting: "events.socket")
        defer { close(listening.descriptor) }
        let peers = try (0..<3).map { _ in try SocketClient(path) }
        WaitingPeers.refuse(listening.descriptor, with: Array("{\"v\":1,\"type\":\"error\",\"message\":\"no\"}\n".utf8))
        for peer in peers { #expect(try peer.rest().map(\.type) == ["error"]) }
        _ = try SocketClient(path)
    }
}
