// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// Runs the built `glimpsed run` in a temporary folder, with scripted workers.
final class DaemonBench {
    let scope = TestScope()
    private(set) var daemon: RunningProgram?

    /// Writes a pipeline's file.
    ///
    /// - Parameters:
    ///   - script: commands of `ScriptedWorker`, separated by semicolons.
    ///   - settings: more of the file, on top.
    func write(_ pipeline: String, _ script: String = "", settings: String = "") {
        let commands = script.split(separator: "; ").map { "# script: \($0)\n" }.joined()
        scope.write("pipelines/\(pipeline).toml", "\(settings)\n\(commands)[source]\nkind = \"test\"\n[face]\n")
    }

    func remove(_ pipeline: String) { unlink(scope.path("pipelines/\(pipeline).toml")) }

    /// Writes the daemon's file; each part is lines of a table. Its state is in the folder `state`.
    func configure(
        daemon: String = "", events: String = "", retention: String = "", control: String = "",
        workers: String = ""
    ) {
        mkdir(scope.path("pipelines"), 0o755)
        scope.write(
            "config.toml",
            """
            [daemon]
            \(daemon)
            \(daemon.contains("state_dir") ? "" : "state_dir = \"state\"")
            [events]
            socket = "e.sock"
            group = ""
            \(events)
            [retention]
            \(retention)
            [control]
            socket = "c.sock"
            group = ""
            \(control)
            [workers]
            \(workers)
            """)
    }

    @discardableResult
    func run(
        worker: String = Program.built("ScriptedWorker"), environment: [String: String] = [:]
    ) -> RunningProgram {
        let daemon = RunningProgram(
            Program.built("glimpsed"), ["run", "--config", scope.path("config.toml")],
            environment: environment.merging(["GLIMPSED_WORKER": worker]) { $1 })
        self.daemon = daemon
        return daemon
    }

    /// Connects a subscriber as soon as the daemon serves.
    func subscribe() async throws -> SocketClient { try await connect("e.sock") }

    /// Connects a peer of the control socket as soon as the daemon serves.
    func control() async throws -> SocketClient { try await connect("c.sock") }

    /// Runs a command of `glimpsed` against this daemon.
    func command(_ arguments: String...) -> ProgramResult {
        Program.run(Program.built("glimpsed"), arguments + ["--config", scope.path("config.toml")])
    }

    private func connect(_ name: String) async throws -> SocketClient {
        let path = scope.path(name)
        var client: SocketClient?
        _ = await holds {
            client = try? SocketClient(path)
            return client != nil
        }
        return try #require(client, "\(daemon?.errors ?? "")")
    }
}

extension SocketClient {
    /// Sends a request and waits for its reply.
    func ask(_ request: String, within limit: Duration = patience) throws -> String {
        send(request)
        return try nextText(within: limit) ?? ""
    }
}
