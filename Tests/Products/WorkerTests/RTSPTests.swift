// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A network camera with a password.
@Suite(.serialized, .enabled(if: RTSPServer.isAvailable, "needs python3-gi and gir1.2-gst-rtsp-server-1.0"))
struct RTSPTests {
    private let scope = TestScope()

    private func start(
        _ server: RTSPServer, password: String, transport: String = "tcp", environment: [String: String] = [:]
    ) -> RunningProgram {
        let secret = scope.write("password", password + "\n")
        let file = scope.write(
            "pipeline.toml",
            "[source]\nkind = \"rtsp\"\nurl = \"\(server.url)\"\nuser = \"viewer\"\npassword_file = \"\(secret)\"\n"
                + "stall_limit = \"2s\"\ntransport = \"\(transport)\"\n")
        return RunningProgram(Worker.path, ["pipeline", file], environment: environment)
    }

    private func isConnected(_ worker: RunningProgram) -> Bool {
        String(decoding: worker.output, as: UTF8.self).contains("\"state\":\"connected\"")
    }

    @Test(arguments: [RTSPServer.Method.basic, .digest])
    func anRTSPSourceNeedsTheRightPassword(method: RTSPServer.Method) async {
        let server = await RTSPServer(method)
        let right = start(server, password: "geheim42")
        #expect(await holds { isConnected(right) }, "\(right.errors)")
        right.send(SIGTERM)
        #expect(right.finish().status == 0)

        let wrong = start(server, password: "falsch17", environment: ["GST_DEBUG": "9", "GST_DEBUG_NO_COLOR": "1"])
            .finish()
        #expect(wrong.status == 66)
        #expect(wrong.errors.contains("\(server.url): Unauthorized (rtspsrc); check the user and the password"))
        let said = wrong.errors + String(decoding: wrong.output, as: UTF8.self)
        // "viewer:falsch17" in base 64 is what Basic sends.
        #expect(!said.contains("falsch17") && !said.contains("dmlld2VyOmZhbHNjaDE3"))
    }

    /// Over TCP the end of the stream comes at once. Over UDP only silence shows the end.
    @Test(arguments: ["tcp", "udp"]) func anRTSPServerThatDiesIsALostSource(transport: String) async {
        let server = await RTSPServer()
        let worker = start(server, password: "geheim42", transport: transport)
        #expect(await holds { isConnected(worker) }, "\(worker.errors)")
        server.kill()
        let result = worker.finish()
        #expect(!result.isOverdue && result.status == 1)
        #expect(result.lines.last?.contains("\"state\":\"lost\"") == true, "\(result)")
    }
}
