// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// A network camera that fails and returns in every way, with the daemon.
@Suite(.serialized, .enabled(if: RTSPServer.isAvailable, "needs python3-gi and gir1.2-gst-rtsp-server-1.0"))
struct CameraFaultTests {
    private let bench = DaemonBench()

    private func start(_ server: RTSPServer, transport: String) async throws -> SocketClient {
        let secret = bench.scope.write("password", "geheim42\n")
        bench.scope.write(
            "pipelines/door.toml",
            """
            [source]
            kind = "rtsp"
            url = "\(server.url)"
            user = "viewer"
            password_file = "\(secret)"
            transport = "\(transport)"
            latency = "50ms"
            stall_limit = "1s"
            """)
        bench.configure(workers: "restart_backoff = [\"100ms\", \"500ms\"]")
        bench.run(worker: Program.built("glimpsed-worker"))
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        return client
    }

    /// The lines up to the first line that meets the condition, which is included.
    private func states(_ client: SocketClient, until state: String) throws -> [StreamLine] {
        try client.lines { $0.state == state }.filter { $0.type == "source" }
    }

    @Test(arguments: ["tcp", "udp"]) func aCameraReturnsAfterEveryFault(transport: String) async throws {
        var server = await RTSPServer()
        let client = try await start(server, transport: transport)
        _ = try states(client, until: "connected")

        server.kill()
        let lost = try #require(states(client, until: "lost").last)
        #expect(lost.error?.isEmpty == false)
        // Another camera at the same address, with larger pictures.
        server = await RTSPServer(port: server.port, size: "640x480")
        #expect(try states(client, until: "connected").contains { $0.state == "retrying" })

        // A frozen camera sends no frames and no error.
        server.send(SIGSTOP)
        let frozen = try states(client, until: "lost")
        #expect(frozen.map(\.state) == ["stalled", "lost"])
        #expect(frozen.last?.error == "no frame for 2.0 seconds; the source is lost")
        server.send(SIGCONT)
        _ = try states(client, until: "connected")

        server.kill()
        _ = try states(client, until: "lost")
        server = await RTSPServer(port: server.port, password: "another")
        let refused = try client.lines { $0.error?.contains("Unauthorized") == true }
        #expect(
            refused.last?.error == "\(server.url): Unauthorized (rtspsrc); check the user and the password"
                && refused.last?.state == "lost")
        server.kill()
        server = await RTSPServer(port: server.port)
        let back = try states(client, until: "connected")
        // A missing camera never counts as a crash.
        #expect(!(frozen + refused + back).contains { $0.state == "disabled" })
    }
}
