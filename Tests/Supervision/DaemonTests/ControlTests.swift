// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// The control socket and the commands that use it, against the built daemon.
@Suite struct ControlTests {
    private let bench = DaemonBench()

    private func start(_ pipelines: [String: String], control: String = "") {
        bench.configure(daemon: "stop_limit = \"2s\"", control: control)
        for (name, script) in pipelines { bench.write(name, script) }
        bench.run()
    }

    @Test func aPipelineIsPausedResumedAndRestarted() async throws {
        start(["door": "connect; detector face yes; tracks 2", "porch": "connect; tracks 1; updates 1000000 2"])
        let client = try await bench.subscribe()
        client.send(#"{"after":0,"subscribe":{"pipelines":["door"]}}"#)
        var seen = try client.lines { $0.type == "update" && $0.track?.id == "2" }

        let paused = bench.command("pause", "door")
        #expect(paused.status == 0 && paused.errors == "door: paused\n" && paused.output.isEmpty, "\(paused)")
        seen += try client.lines { $0.state == "paused" }
        #expect(seen.suffix(3).map(\.type) == ["completed", "completed", "source"])
        #expect(seen.suffix(3).compactMap(\.reason) == ["shutdown", "shutdown"])
        let control = try await bench.control()
        #expect(try control.ask(#"{"status":true}"#).contains(#""name":"door","file":"\#(bench.scope.folder)"#))
        #expect(try control.ask(#"{"pause":{"pipeline":"door"}}"#).contains(#""state":"paused"}"#))

        #expect(bench.command("resume", "door").errors == "door: resumed\n")
        seen += try client.lines { $0.type == "update" && $0.track?.id == "4" }
        #expect(seen.last?.frame?.epoch == 2)
        let again = bench.command("resume", "door")
        #expect(again.status == 1 && again.errors == "glimpsed: pipeline door: it is not paused\n")

        #expect(bench.command("restart", "door").errors == "door: restarted\n")
        seen += try client.lines { $0.type == "update" && $0.track?.id == "6" }
        #expect(seen.last?.frame?.epoch == 3)
        bench.daemon?.send(SIGTERM)
        seen += try client.rest()
        #expect(violation(in: seen.map { Array($0.text.utf8) }, isFiltered: true) == nil)
        #expect(seen.allSatisfy { $0.pipeline == nil || $0.pipeline == "door" })
    }

    @Test func pausingACrashingPipelineLeavesNoWorker() async throws {
        start(["door": "tracks 1; kill 9"])
        bench.configure(workers: "restart_backoff = [\"1ms\", \"2ms\"]\ncrash_limit = 1000")
        let control = try await bench.control()
        #expect(try control.ask(#"{"reload":true}"#).contains(#""ok":true"#))
        for _ in 0..<20 {
            #expect(try control.ask(#"{"pause":{"pipeline":"door"}}"#).contains(#""state":"paused"}"#))
            let status = try control.ask(#"{"status":true}"#).components(separatedBy: #""pipelines":"#)
            #expect(status.count == 2 && !status[1].contains(#""pid""#))
            #expect(try control.ask(#"{"resume":{"pipeline":"door"}}"#).contains(#""ok":true"#))
        }
        #expect(try control.ask(#"{"pause":{"pipeline":"door"}}"#).contains(#""ok":true"#))
        let client = try await bench.subscribe()
        let newest = try #require(try client.next()?.next_seq) - 1
        client.send(#"{"after":0}"#)
        let types = try client.lines { $0.seq == newest }.map(\.type)
        #expect(types.filter { $0 == "detected" }.count > 0)
        #expect(types.filter { $0 == "detected" }.count == types.filter { $0 == "completed" }.count)
    }

    @Test func statusNamesTheFaultOfAPipeline() async throws {
        start([
            "door": "connect; detector face yes; tracks 2; beat",
            "porch": "say warning: clips: no room; detector face no",
            "yard": "say hello; exit 78",
        ])
        let control = try await bench.control()
        #expect(
            try await holds {
                let status = try control.ask(#"{"status":true}"#)
                return status.contains(#""state":"disabled","last_error":"the worker exited with status 78""#)
                    && status.contains(#""last_warning":"clips: no room""#)
                    && status.contains(#""operational":false,"reason":"its model is broken""#)
                    && status.contains(#""tracks":2,"source":{"received":1,"decoded":0,"busy_ms":0}"#)
            })
        let shown = bench.command("status")
        #expect(shown.status == 0 && shown.output.isEmpty)
        #expect(shown.errors.contains("\n  face: not operational: its model is broken\n"), "\(shown)")
        #expect(shown.errors.contains("\n  last warning: clips: no room\n"), "\(shown)")
        #expect(shown.errors.contains("yard: disabled, "), "\(shown)")
        let json = bench.command("status", "--json")
        #expect(
            json.status == 0 && json.lines.count == 1 && json.lines[0].hasPrefix(#"{"v":1,"type":"reply","ok":true,"#))
    }

    @Test func statusNamesTheMinSizeThatShowsSmallFaces() async throws {
        start(["door": "connect; detector face yes; small_faces 4 23"])
        let control = try await bench.control()
        #expect(
            try await holds {
                try control.ask(#"{"status":true}"#).contains(#""too_small":{"faces":4,"min_size":0.023}"#)
            })
        let shown = bench.command("status")
        #expect(shown.errors.contains("faces below min_size: 4, shown by min_size = 0.023"), "\(shown)")
    }

    @Test func anAbsentPipelineAndAForbiddenPeerAreNamed() async throws {
        start(["door": ""])
        _ = try await bench.control()
        let unknown = bench.command("pause", "window")
        #expect(unknown.status == 1)
        #expect(unknown.errors == "glimpsed: pipeline window: unknown pipeline; the pipelines are: door\n")
        for arguments in [
            ["status"], ["reload"], ["pause", "a"], ["resume", "a"], ["restart", "a"], ["focus", "a", "b"],
        ] {
            let absent = Program.run(
                Program.built("glimpsed"), arguments + ["--socket", bench.scope.path("none.sock")])
            #expect(absent.status == 69)
            #expect(absent.errors.contains("none.sock: the daemon is not running; start it with: "), "\(absent)")
            let help = Program.run(Program.built("glimpsed"), arguments.prefix(1) + ["--help"])
            #expect(
                help.status == 0 && String(decoding: help.output, as: UTF8.self).contains("  glimpsed \(arguments[0])"))
        }
        let missing = bench.command("pause")
        #expect(missing.status == 64)
    }

    /// The test changes its user, so it needs root.
    @Test(.enabled(if: geteuid() == 0, "only root can be somebody else")) func theListsOfPeersDecideWhoMayGiveCommands()
        async throws
    {
        start(["door": ""], control: "mode = \"0666\"")
        _ = try await bench.control()
        chmod(bench.scope.folder, 0o755)
        func asNobody() -> ProgramResult {
            Program.run(
                "setpriv",
                [
                    "--reuid", "65534", "--regid", "65534", "--clear-groups", Program.built("glimpsed"), "status",
                    "--socket", bench.scope.path("c.sock"),
                ])
        }
        let refused = asNobody()
        #expect(refused.status == 1)
        #expect(
            refused.errors
                == "glimpsed: user 65534 may not give commands: control.allow_users does not list the user, and control.allow_groups lists none of the user's groups\n"
        )
        bench.configure(control: "mode = \"0666\"\nallow_groups = [\"65534\"]")
        #expect(bench.command("reload").errors == "applied   daemon.stop_limit\napplied   control.allow_groups\n")
        #expect(asNobody().status == 0)
        chmod(bench.scope.path("c.sock"), 0o600)
        let forbidden = asNobody()
        #expect(forbidden.status == 1)
        #expect(
            forbidden.errors.contains("permission denied; join the socket's group, or use sudo"))
    }
}
