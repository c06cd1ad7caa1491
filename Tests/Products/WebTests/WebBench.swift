// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// The built daemon with the built worker and the built-in scene, and the built page on a Unix socket.
final class WebBench {
    let scope = TestScope()
    let daemon: RunningProgram
    private(set) var page: RunningProgram

    /// - Parameters:
    ///   - web: the page's file.
    ///   - daemon: more of the daemon's table.
    ///   - source: the table of the pipeline's source.
    init(
        web: String = "", daemon: String = "", source: String = "kind = \"test\"\npattern = \"scene\"",
        pipeline: String = ""
    ) async throws {
        scope.write(
            "config.toml",
            """
            [daemon]
            state_dir = "state"
            \(daemon)
            [events]
            socket = "e.sock"
            group = ""
            [control]
            socket = "c.sock"
            group = ""
            [retention]
            events = ["1h", "16MiB"]
            """)
        scope.write(
            "pipelines/demo.toml",
            """
            [source]
            \(source)
            [barcode]
            [snapshot]
            on = ["best"]
            \(pipeline)
            """)
        scope.write("page/index.html", "<!doctype html><title>Glimpse</title>")
        scope.write("page/modules/main.js", "export {};")
        scope.write("page/secret.txt", "not a part of the page")
        scope.write("web.toml", web)
        self.daemon = RunningProgram(
            Program.built("glimpsed"), ["run", "--config", scope.path("config.toml")],
            environment: ["GLIMPSED_WORKER": Program.built("glimpsed-worker")])
        page = RunningProgram(
            Program.built("glimpsed-web"),
            [
                "--config", scope.path("web.toml"), "--page", scope.path("page"), "--listen",
                "unix:\(scope.path("w.sock"))",
                "--events", scope.path("e.sock"), "--control", scope.path("c.sock"), "--links", scope.path("l.sock"),
            ])
        let isUp = await holds { [self] in (try? get("/healthz"))?.status == 200 }
        #expect(isUp, "\(page.errors)\n\(self.daemon.errors)")
    }

    func get(_ path: String, host: String = "localhost", _ headers: String...) throws -> HTTPExchange {
        try HTTPExchange(scope.path("w.sock"), "GET \(path)", host: host, headers)
    }

    func post(_ path: String, _ headers: String...) throws -> HTTPExchange {
        try HTTPExchange(scope.path("w.sock"), "POST \(path)", headers + ["Content-Length: 0"])
    }

    /// Waits for the scene's first tracks.
    func untilTracksEnd() async throws {
        let client = try SocketClient(scope.path("e.sock"))
        client.send(#"{"subscribe":{"types":["completed"],"passive":true},"after":0}"#)
        _ = try client.lines { $0.type == "completed" }
    }
}
