// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// The built daemon with scripted workers that fail.
@Suite struct SupervisionTests {
    private let bench = DaemonBench()

    @Test func aWorkerOverTheMemoryLimitIsReplaced() async throws {
        bench.configure(workers: "memory_limit = \"100MiB\"")
        bench.write("door", "connect; tracks 1; eat 200 1")
        bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        let received = try client.lines { $0.type == "update" && $0.frame?.epoch == 2 }
        #expect(received.contains { $0.type == "completed" && $0.reason == "source_lost" })
        let error = try #require(received.first { $0.state == "lost" }?.error)
        #expect(
            error.hasPrefix("the worker failed: 2")
                && error.hasSuffix(" MiB of memory, over workers.memory_limit = 100 MiB"))
        let status = try await bench.control().ask(#"{"status":true}"#)
        #expect(status.contains(#""restarts":1,"#), "\(status)")
    }

    /// Requested lines cost a worker nothing while nobody asks for them. Each new worker learns of the demand.
    @Test func workersWriteRequestedLinesWhileASubscriberRequestsThem() async throws {
        bench.configure(workers: "restart_backoff = [\"1ms\", \"5ms\"]")
        bench.write("door", "connect; tracks 1")
        bench.write("porch", "connect; tracks 1")
        let daemon = bench.run()
        // 1: frame lines, 2: explain lines.
        func told(_ pipeline: String) -> [Int] {
            daemon.errors.split(separator: "\n").filter { $0.contains("pipeline=\(pipeline)") }
                .compactMap { line in (0...3).first { line.contains("requested lines \($0)") } }
        }
        let client = try await bench.subscribe()
        client.send(#"{"subscribe":{"frames":true,"pipelines":["door"]}}"#)
        #expect(await holds { told("door") == [1] }, "\(daemon.errors)")
        #expect(bench.command("restart", "door").status == 0)
        #expect(await holds { told("door") == [1, 1] }, "\(daemon.errors)")
        client.send(#"{"subscribe":{"frames":true,"kinds":["barcode"]}}"#)
        #expect(await holds { told("door").last == 0 }, "\(daemon.errors)")
        client.send(#"{"subscribe":{"explain":true}}"#)
        #expect(await holds { told("porch") == [2] }, "\(daemon.errors)")
        client.close()
        #expect(await holds { told("porch") == [2, 0] }, "\(daemon.errors)")
    }

    @Test func aCrashLoopIsDisabledAndResumed() async throws {
        bench.configure(workers: "restart_backoff = [\"1ms\", \"5ms\"]\ncrash_limit = 3")
        bench.write("door", "connect; tracks 1; kill 9")
        bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var received = try client.lines { $0.state == "disabled" }
        #expect(received.filter { $0.state == "retrying" }.count == 2)
        #expect(received.last?.error == "3 crashes within 60.0 seconds; the last: the worker was killed by signal 9")
        #expect(received.last?.retry_ms == 300_000)
        let control = try await bench.control()
        #expect(try control.ask(#"{"status":true}"#).contains(#""state":"disabled","last_error":"3 crashes within"#))
        #expect(bench.command("resume", "door").status == 0)
        received = try client.lines { $0.state == "disabled" }
        #expect(received.filter { $0.state == "retrying" }.count == 2 && received.contains { $0.frame?.epoch == 4 })
    }

    @Test func aWorkerWithTooManyThreadsIsReplaced() async throws {
        bench.configure(workers: "thread_limit = 1")
        bench.scope.write("pipelines/door.toml", "[source]\nkind = \"test\"\n[barcode]\n")
        bench.run(worker: Program.built("glimpsed-worker"))
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        let error = try client.lines { $0.state == "lost" }.last?.error ?? ""
        #expect(error.contains(/^the worker failed: [0-9]+ threads, over workers.thread_limit = 1$/), "\(error)")
    }

    /// systemd gives the control group to divide. Without one, the daemon says so and continues.
    @Test func workersHaveALowerPriorityAndAMissingControlGroupIsReported() async throws {
        bench.configure(workers: "nice = 7\ncpu_weight = 50")
        bench.write("door", "connect; tracks 1")
        let daemon = bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        _ = try client.lines { $0.type == "update" }
        let worker = try #require(ProcessFootprint.workers(of: daemon.process).first)
        let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(daemon.process))
        #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(worker)) == min(19, own + 7))
        #expect(
            daemon.errors.contains("have no effect: no control group is available: ")
                || daemon.errors.contains("the worker has no control group: "))
    }

    /// A source whose thread is blocked in a read without end. The worker cannot read or stop the source, but the
    /// supervisor can kill the worker.
    @Test func aSourceThatHangsInItsTeardownIsKilled() async throws {
        let pipe = bench.scope.path("pipe")
        mkfifo(pipe, 0o600)
        let writer = open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(writer) }
        bench.scope.write(
            "pipelines/door.toml",
            "[source]\nkind = \"launch\"\nlaunch = \"filesrc location=\(pipe) ! decodebin\"\nstall_limit = \"200ms\"\n[barcode]\n"
        )
        bench.configure(daemon: "stop_limit = \"1s\"", workers: "stall_limit = \"1s\"")
        let daemon = bench.run(worker: Program.built("glimpsed-worker"))
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        let received = try client.lines { $0.state == "connecting" && $0.seq ?? 0 > 2 }
        let states = received.compactMap(\.state)
        #expect(states.suffix(4) == ["stalled", "lost", "retrying", "connecting"], "\(states)")
        #expect(received.first { $0.state == "lost" }?.error == "no frame for 0.4 seconds; the source is lost")
        #expect(daemon.errors.contains("the worker is killed: its source has not responded for over"))
        // The second worker hangs too, and the daemon still ends.
        let workers = ProcessFootprint.workers(of: daemon.process)
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
        for worker in workers { #expect(kill(worker, 0) != 0) }
    }
}
