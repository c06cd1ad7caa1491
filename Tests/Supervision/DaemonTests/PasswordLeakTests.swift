// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// A camera's password is only in its file. No output of the daemon, its workers or GStreamer has it, and no data that
/// other users can read about the processes.
@Suite(.enabled(if: RTSPServer.isAvailable, "needs python3-gi and gir1.2-gst-rtsp-server-1.0"))
struct PasswordLeakTests {
    private let bench = DaemonBench()
    private let password = "geheim42"

    @Test(arguments: [RTSPServer.Method.basic, .digest])
    func noPasswordIsInAnyOutput(method: RTSPServer.Method) async throws {
        let server = await RTSPServer(method)
        let scope = bench.scope
        for (name, secret) in [("right", password), ("wrong", "\(password)x")] {
            let file = scope.write("secrets/\(name)", secret + "\n")
            scope.write(
                "pipelines/\(name).toml",
                "[source]\nkind = \"rtsp\"\nurl = \"\(server.url)\"\nuser = \"viewer\"\npassword_file = \"\(file)\"\n[barcode]\n"
            )
        }
        let secret = scope.write("secrets/text", password + "\n")
        scope.write(
            "pipelines/text.toml",
            "[source]\nkind = \"launch\"\nlaunch = \"rtspsrc location=\(server.url) user-id=viewer user-pw={password} "
                + "protocols=tcp ! decodebin\"\npassword_file = \"\(secret)\"\n[barcode]\n")
        bench.configure(daemon: "log_level = \"trace\"")
        let daemon = bench.run(
            worker: Program.built("glimpsed-worker"),
            environment: [
                "GST_DEBUG": "6", "GST_DEBUG_NO_COLOR": "1", "GST_DEBUG_FILE": scope.path("gstreamer-%p.log"),
            ])
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var seen = Set<String>()
        let received = try client.lines {
            if $0.pipeline == "right", $0.state == "connected" { seen.insert("right") }
            if $0.pipeline == "text", $0.state == "connected" { seen.insert("text") }
            if $0.pipeline == "wrong", $0.error?.contains("Unauthorized") == true { seen.insert("wrong") }
            return seen.count == 3
        }
        var said = received.map { ("the stream", $0.text) }
        said.append(("status", try await bench.control().ask(#"{"status":true}"#)))
        for process in [daemon.process] + ProcessFootprint.children(of: daemon.process) {
            for file in ["cmdline", "environ"] {
                // The worker with the wrong password comes and goes.
                if let text = try? text("/proc/\(process)/\(file)") { said.append(("/proc/\(process)/\(file)", text)) }
            }
        }
        daemon.send(SIGTERM)
        said += [("the rest of the stream", try client.rest().map(\.text).joined())]
        #expect(daemon.finish().status == 0)
        said.append(("the log", daemon.errors))
        let written = try FileManager.default.subpathsOfDirectory(atPath: scope.folder)
            .filter { !$0.hasPrefix("secrets") && !$0.hasSuffix(".sock") }
        for file in written where try FileTypeCheck.isRegular(scope.path(file)) {
            said.append((file, try text(scope.path(file))))
        }
        #expect(said.filter { $0.0.hasSuffix("environ") }.count >= 2, "the daemon's and a worker's")
        #expect(said.contains { $0.0.hasPrefix("gstreamer-") && $0.1.contains("rtspsrc") })
        // The part of the password that HTTP's Basic sends. The last letters in base 64 depend on the bytes after the
        // password.
        let encoded = Data("viewer:\(password)".utf8).base64EncodedString().prefix(18)
        for (place, text) in said {
            #expect(!text.contains(password), "\(place)")
            #expect(!text.contains(encoded), "\(place)")
        }
    }

    private func text(_ path: String) throws -> String { String(decoding: try TestFile.read(path), as: UTF8.self) }
}

private enum FileTypeCheck {
    static func isRegular(_ path: String) throws -> Bool {
        try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeRegular
    }
}
