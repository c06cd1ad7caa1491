import Glibc
import GlimpseTesting
import Testing

/// The built daemon with the built `glimpsed-worker` on a symbol that stays in view: needs GStreamer and ZXing, no model and no camera.
@Suite struct RealWorkerTests {
    private let bench = DaemonBench()

    private func workers(_ daemon: RunningProgram, _ pipeline: String = "") -> [pid_t] {
        daemon.errors.split(separator: "\n").filter { $0.contains("pipeline=\(pipeline)") }.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("pid=") }.flatMap { pid_t($0.dropFirst(4)) }
        }
    }

    /// Starts the daemon with pipelines on a symbol that stays in view.
    private func start(
        _ pipelines: [String], workers: String = "", environment: [String: String] = [:]
    ) -> RunningProgram {
        bench.configure(workers: workers)
        let picture = bench.scope.path("symbol.pgm")
        let drawing = RunningProgram(
            Program.built("glimpsed-worker"), ["symbol", "qr_code", "here to stay", "--output", picture])
        #expect(drawing.finish().status == 0, "\(drawing.errors)")
        let launch = "filesrc location=\(picture) ! decodebin ! imagefreeze is-live=true ! video/x-raw,framerate=15/1"
        for name in pipelines {
            bench.scope.write(
                "pipelines/\(name).toml", "[source]\nkind = \"launch\"\nlaunch = \"\(launch)\"\n[barcode]\n")
        }
        return bench.run(worker: Program.built("glimpsed-worker"), environment: environment)
    }

    @Test func aKilledWorkerIsReplacedAndTheStoryStaysWhole() async throws {
        let daemon = start(["scene"])
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        let before = try client.lines(within: .seconds(60)) { $0.type == "update" }
        let first = try #require(workers(daemon).first)
        kill(first, SIGKILL)
        let after = try client.lines(within: .seconds(60)) { $0.type == "update" && $0.frame?.epoch == 2 }
        daemon.send(SIGTERM)
        let end = try client.rest()
        #expect(daemon.finish().status == 0, "\(daemon.errors)")

        let story = before + after + end
        let sequences = story.compactMap(\.seq)
        #expect(sequences == Array(1...UInt64(sequences.count)))
        #expect(try LifeCycleGrammar.violations(in: story.map { Array($0.text.utf8) }) == [])
        #expect(after.contains { $0.type == "completed" && $0.reason == "source_lost" && $0.frame?.epoch == 1 })
        #expect(after.contains { $0.state == "lost" && $0.error == "the worker was ended by signal 9" })
        #expect(end.contains { $0.type == "completed" && $0.reason == "shutdown" && $0.frame?.epoch == 2 })
        for pid in workers(daemon) { #expect(kill(pid, 0) != 0) }
    }

    /// Whatever goes wrong inside a worker, the pipeline goes on with another, and its neighbour notices nothing.
    @Test(
        arguments: [
            ("abort", "was ended by signal 6"), ("segv", "was ended by signal 11"),
            ("stop", "was ended: no heartbeat for 2.0 seconds"),
            ("loop", "was ended: its detector barcode has been at one frame for over 2.0 seconds"),
            ("leak", " MiB of memory, and workers.memory_limit is 512 MiB"),
        ])
    func aFaultInADetectorCostsItsWorkerAlone(fault: String, error: String) async throws {
        let settings = "stall_limit = \"2s\"\nmemory_limit = \"512MiB\""
        let daemon = start(["door"], workers: settings, environment: ["GLIMPSED_FAULT": "\(fault):barcode:20"])
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        let story = try client.lines(within: .seconds(60)) { $0.type == "update" && $0.frame?.epoch == 2 }
        let lost = try #require(story.firstIndex { $0.state == "lost" })
        #expect(story[lost].error?.hasSuffix(error) == true, "\(story[lost].text)")
        #expect(story[..<lost].last?.reason == "source_lost")
        #expect(story.compactMap(\.seq) == Array(1...UInt64(story.compactMap(\.seq).count)))
        daemon.send(SIGTERM)
        let end = try client.rest()
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
        #expect(try LifeCycleGrammar.violations(in: (story + end).map { Array($0.text.utf8) }) == [])
        for pid in workers(daemon) { #expect(kill(pid, 0) != 0) }
    }

    @Test func statusMeasures() async throws {
        let daemon = start(["door", "porch"])
        let control = try await bench.control()
        #expect(
            try await holds(within: .seconds(60)) {
                let status = try control.ask(#"{"status":true}"#)
                return status.components(separatedBy: #""operational":true,"#).count == 3
                    && status.components(separatedBy: #"},"latency_us":{"p50":"#).count == 3
                    && !status.contains(#""latency_us":{"p50":0,"#)
            }, "\(daemon.errors)")
    }
}
