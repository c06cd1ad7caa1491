// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// Workers that die one after the other, fifty times or, with `GLIMPSE_FUZZ_SCALE=20`, a thousand.
@Suite struct ManyKillsTests {
    private static let kills = Fuzz.rounds(50).count
    /// The memory that allocator and journal may still take after both have reached their limits.
    private static let slack = 4 << 20

    private let bench = DaemonBench()

    @Test func manyKillsOfWorkersLeakNothingAndDisturbNoOtherPipeline() async throws {
        // The journal is full before the first look.
        bench.configure(
            events: "journal_bytes = \"64KiB\"\njournal_events = 100",
            workers: "restart_backoff = [\"1ms\", \"1ms\"]\ncrash_limit = 1000\ncrash_window = \"1ms\"")
        let daemon = bench.run()
        let control = try await bench.control()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        // The workers start after the subscription, because the journal soon loses the first events.
        bench.write("door", "connect; tracks 2; updates 3 0; kill 9")
        bench.write("porch", "connect; tracks 1; updates 100000000 4")
        #expect(try control.ask(#"{"reload":true}"#).contains(#""ok":true"#))
        var (deaths, before): (Int, ProcessFootprint?) = (0, nil)
        let received = try client.lines(within: .seconds(300)) { line in
            if line.type == "source", line.state == "retrying" { deaths += 1 }
            if deaths == 30, before == nil { before = ProcessFootprint(of: daemon.process) }
            return deaths == 30 + Self.kills
        }
        let (first, last) = (try #require(before), try #require(ProcessFootprint(of: daemon.process)))
        // A starting worker has three pipes and a pair of sockets.
        #expect(last.descriptors <= first.descriptors + 8)
        #expect(last.threads <= first.threads + 2)
        #expect(last.privateBytes <= first.privateBytes + Self.slack, "\(first.privateBytes) \(last.privateBytes)")
        #expect(await holds { ProcessFootprint(of: daemon.process)?.zombies == 0 })

        let numbered = received.compactMap(\.seq)
        #expect(zip(numbered, numbered.dropFirst()).allSatisfy { $1 == $0 + 1 })
        #expect(!received.contains { $0.type == "gap" })
        let porch = received.filter { $0.pipeline == "porch" }
        #expect(porch.filter { $0.type == "source" || $0.type == "completed" }.map(\.state) == ["connected"])
        let frames = porch.filter { $0.type == "update" }.compactMap(\.frame?.seq)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 == $0 + 1 } && frames.count > Self.kills)

        daemon.send(SIGTERM)
        let end = try client.rest()
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
        // The lines of one pipeline. A scripted worker writes a frame's lines one by one, and lines of other pipelines
        // come between them.
        let door = (received + end).filter { $0.pipeline == "door" || $0.pipeline == nil }
        #expect(violation(in: door.map { Array($0.text.utf8) }, isFiltered: true) == nil)
    }
}
