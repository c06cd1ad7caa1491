import Glibc
import GlimpseTesting
import Testing

/// What the built daemon does with workers that go wrong; scripted ones.
@Suite struct SupervisionTests {
    private let bench = DaemonBench()

    @Test func aWorkerOverTheMemoryLimitIsReplaced() async throws {
        bench.configure(workers: "memory_limit = \"100MiB\"")
        bench.write("door", "connect; tracks 1; eat 200 1")
        bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        let story = try client.lines(within: .seconds(20)) { $0.type == "update" && $0.frame?.epoch == 2 }
        #expect(story.contains { $0.type == "completed" && $0.reason == "source_lost" })
        let error = try #require(story.first { $0.state == "lost" }?.error)
        #expect(
            error.hasPrefix("the worker was ended: 2")
                && error.hasSuffix(" MiB of memory, and workers.memory_limit is 100 MiB"))
        let status = try await bench.control().ask(#"{"status":true}"#)
        #expect(status.contains(#""restarts":1,"#), "\(status)")
    }

    @Test func aCrashLoopIsDisabledAndResumed() async throws {
        bench.configure(workers: "restart_backoff = [\"1ms\", \"5ms\"]\ncrash_limit = 3")
        bench.write("door", "connect; tracks 1; kill 9")
        bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var story = try client.lines { $0.state == "disabled" }
        #expect(story.filter { $0.state == "retrying" }.count == 2)
        #expect(story.last?.error == "3 crashes within 60.0 seconds; the last: the worker was ended by signal 9")
        #expect(story.last?.retry_ms == 300_000)
        let control = try await bench.control()
        #expect(try control.ask(#"{"status":true}"#).contains(#""state":"disabled","last_error":"3 crashes within"#))
        #expect(bench.command("resume", "door").status == 0)
        story = try client.lines { $0.state == "disabled" }
        #expect(story.filter { $0.state == "retrying" }.count == 2 && story.contains { $0.frame?.epoch == 4 })
    }
}
