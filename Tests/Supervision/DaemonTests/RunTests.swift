// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// The built `glimpsed run` with scripted workers.
@Suite struct RunTests {
    private let bench = DaemonBench()
    private var scope: TestScope { bench.scope }

    private func start(
        pipelines: [String: String], settings: String = "", worker: String = Program.built("ScriptedWorker")
    ) throws -> RunningProgram {
        bench.configure(daemon: settings)
        for (name, script) in pipelines { bench.write(name, script) }
        return bench.run(worker: worker)
    }

    private func connect(_ daemon: RunningProgram) async throws -> SocketClient { try await bench.subscribe() }

    @Test func subscribersOfARunReceiveAllEventsAndTheEnd() async throws {
        let daemon = try start(pipelines: ["door": "connect; tracks 2; updates 100000 5"])
        let early = try await connect(daemon)
        early.send(#"{"after":0}"#)
        let opening = try early.lines { $0.type == "update" && $0.frame?.seq == 50 }
        let sequences = opening.compactMap(\.seq)
        #expect(sequences == Array(1...UInt64(sequences.count)))
        let late = try await connect(daemon)
        let hello = try #require(try late.next())
        #expect(hello.pipelines?.map(\.name) == ["door"] && hello.pipelines?.first?.state == "connected")
        #expect(try late.next()?.tracks?.map(\.track.id) == ["1", "2"])

        daemon.send(SIGTERM)
        let ends = [try early.rest(), try late.rest()].map { $0.suffix(2) }
        #expect(daemon.finish().status == 0)
        for end in ends {
            #expect(end.map(\.type) == ["completed", "completed"])
            #expect(end.map(\.reason) == ["shutdown", "shutdown"])
        }
        #expect(ends[0].map(\.text) == ends[1].map(\.text))
        #expect(access(scope.path("e.sock"), F_OK) != 0)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aWorkerWithoutASupervisorEndsWithinTheLimit(signal: Int32) async throws {
        let daemon = try start(pipelines: ["door": "deaf; tracks 1"], settings: #"stop_limit = "1s""#)
        let client = try await connect(daemon)
        client.send(#"{"after":0}"#)
        _ = try client.lines { $0.type == "update" }
        daemon.send(signal)
        #expect(try client.rest().last?.reason == "shutdown")
        #expect(daemon.finish().status == 0)
    }

    @Test func workersDieWithTheSupervisor() async throws {
        let daemon = try start(pipelines: ["door": "tracks 1", "porch": "tracks 1"])
        _ = try await connect(daemon)
        let pids = {
            daemon.errors.split(separator: "\n").compactMap { $0.split(separator: " ").first { $0.hasPrefix("pid=") } }
        }
        #expect(await holds { pids().count == 2 })
        daemon.send(SIGKILL)
        for pid in pids() {
            let number = try #require(pid_t(pid.dropFirst(4)))
            #expect(await holds { kill(number, 0) != 0 })
        }
    }

    @Test func theDaemonWithoutPipelinesNamesTheRemedyAndServes() async throws {
        let daemon = try start(pipelines: [:])
        let client = try await connect(daemon)
        #expect(try client.next()?.pipelines?.isEmpty == true)
        #expect(
            await holds {
                daemon.errors.contains("notice: no pipeline to run in \(scope.folder)/pipelines: set enabled = true")
            }
        )
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0)
    }

    @Test func everyProblemOfTheConfigurationIsPrinted() async throws {
        scope.write("pipelines/bad.toml", "[source]\nkind = \"tset\"\nwidht = 3\n")
        let daemon = try start(pipelines: [:], settings: "stop_limt = \"5s\"")
        #expect(daemon.finish().status == 78)
        #expect(daemon.errors.contains("config.toml:2: [daemon] unknown key \"stop_limt\""), "\(daemon.errors)")
        #expect(daemon.errors.contains("bad.toml:2:"), "\(daemon.errors)")
    }

    @Test func aSecondDaemonOnTheSameSocketIsRefused() async throws {
        let first = try start(pipelines: [:])
        _ = try await connect(first)
        let second = RunningProgram(Program.built("glimpsed"), ["run", "--config", scope.path("config.toml")])
        #expect(second.finish().status == 1)
        #expect(second.errors.contains("already served by another process"))
        _ = try SocketClient(scope.path("e.sock"))
    }

    @Test func aMissingWorkerProgramIsReportedAtOnce() async throws {
        let daemon = try start(pipelines: ["door": ""], worker: "/nowhere/glimpsed-worker")
        #expect(daemon.finish().status == 69)
        #expect(
            daemon.errors.contains(
                "cannot start workers: $GLIMPSED_WORKER is /nowhere/glimpsed-worker, which is not a program"))
    }

    @Test(
        arguments: [
            (["run", "--nonsense"], 64), (["dance"], 64), (["--help"], 0), (["run", "--help"], 0), (["--version"], 0),
        ] as [([String], Int)])
    func wrongUsageOfRunHasStatus64(arguments: [String], status: Int) async throws {
        let program = RunningProgram(Program.built("glimpsed"), arguments)
        #expect(program.finish().status == status)
    }

    @Test func theDaemonsMemoryIsSmall() async throws {
        let daemon = try start(pipelines: ["door": "connect; tracks 1; updates 1000000 5"])
        let clients = try await (0..<20).asyncMap { _ in try await connect(daemon) }
        for client in clients { _ = try client.lines { $0.type == "update" } }
        let status = try #require(fopen("/proc/\(daemon.process)/status", "r"))
        defer { fclose(status) }
        var text = [CChar](repeating: 0, count: 8192)
        fread(&text, 1, text.count - 1, status)
        let resident = String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("VmRSS:") }?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        #expect(try #require(resident) < 40_000)
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
