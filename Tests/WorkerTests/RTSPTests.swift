import GlimpseTesting
import Testing

#if canImport(Glibc)
    import Glibc
#endif

private let hasRTSPServer =
    Program.run("/usr/bin/python3", ["-c", "import gi; gi.require_version('GstRtspServer', '1.0')"]).status == 0

/// A network camera with a password.
@Suite(.serialized, .enabled(if: hasRTSPServer, "needs python3-gi and gir1.2-gst-rtsp-server-1.0"))
struct RTSPTests {
    private let scope = TestScope()

    private func server(_ port: Int, _ method: String) async -> RunningProgram {
        let server = RunningProgram(
            "/usr/bin/python3", ["\(Checkout.root)/Tests/Support/rtsp-server.py", "\(port)", method])
        #expect(await holds { !server.output.isEmpty }, "\(server.errors)")
        return server
    }

    private func start(_ port: Int, password: String, environment: [String: String] = [:]) -> RunningProgram {
        let secret = scope.write("password", password + "\n")
        let file = scope.write(
            "pipeline.toml",
            "[source]\nkind = \"rtsp\"\nurl = \"rtsp://127.0.0.1:\(port)/test\"\nuser = \"viewer\"\npassword_file = \"\(secret)\"\n"
                + "stall_limit = \"2s\"\n")
        return RunningProgram(Worker.path, ["pipeline", file], environment: environment)
    }

    private func isConnected(_ worker: RunningProgram) -> Bool {
        String(decoding: worker.output, as: UTF8.self).contains("\"state\":\"connected\"")
    }

    @Test(arguments: [("basic", 18554), ("digest", 18555)])
    func theRightPasswordAndAWrongOne(method: String, port: Int) async {
        let server = await server(port, method)
        let right = start(port, password: "geheim42")
        #expect(await holds { isConnected(right) }, "\(right.errors)")
        right.send(SIGTERM)
        #expect(right.finish(within: .seconds(5)).status == 0)

        let wrong = start(port, password: "falsch17", environment: ["GST_DEBUG": "9", "GST_DEBUG_NO_COLOR": "1"])
            .finish(within: .seconds(20))
        #expect(wrong.status == 66)
        #expect(
            wrong.errors.contains(
                "rtsp://127.0.0.1:\(port)/test: Unauthorized (rtspsrc); check the user and the password"))
        let said = wrong.errors + String(decoding: wrong.output, as: UTF8.self)
        // "viewer:falsch17" in base 64 is what Basic sends.
        #expect(!said.contains("falsch17") && !said.contains("dmlld2VyOmZhbHNjaDE3"))
        withExtendedLifetime(server) {}
    }

    @Test func aServerThatDies() async {
        let server = await server(18556, "basic")
        let worker = start(18556, password: "geheim42")
        #expect(await holds { isConnected(worker) }, "\(worker.errors)")
        server.send(SIGKILL)
        let result = worker.finish(within: .seconds(10))
        #expect(!result.isOverdue && result.status == 1)
        #expect(result.lines.last?.contains("\"state\":\"lost\"") == true, "\(result)")
    }
}
