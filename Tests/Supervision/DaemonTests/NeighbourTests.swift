// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// Real workers side by side, one of which dies again and again. `scripts/reliability/neighbours.py` is the long form:
/// 24 of them, rates compared with a run in which nothing dies.
@Suite struct NeighbourTests {
    private let bench = DaemonBench()
    private let neighbours = (1...5).map { "n\($0)" }

    @Test func neighbourPipelinesContinueWhileOneFails() async throws {
        let source = "[source]\nkind = \"test\"\npattern = \"ball\"\nwidth = 64\nheight = 48\nfps = 10\n[barcode]\n"
        for name in neighbours + ["crasher"] { bench.scope.write("pipelines/\(name).toml", source) }
        bench.configure(workers: "restart_backoff = [\"1ms\", \"20ms\"]\ncrash_limit = 1000\ncrash_window = \"1ms\"")
        let daemon = bench.run(worker: Program.built("glimpsed-worker"))
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var waiting = Set(neighbours + ["crasher"])
        var seen = try client.lines {
            if $0.state == "connected" { waiting.remove($0.pipeline ?? "") }
            return waiting.isEmpty
        }
        let control = try await bench.control()
        let before = try received(control)
        for death in 1...5 {
            let worker = try #require(try status(control).first { $0.name == "crasher" }?.pid)
            kill(worker, SIGKILL)
            seen += try client.lines {
                $0.pipeline == "crasher" && $0.state == "connected"
            }
            #expect(seen.filter { $0.state == "lost" }.count == death)
        }
        // All other pipelines continue at an equal rate by one clock.
        var steps: [UInt64] = []
        #expect(
            try await holds {
                let after = try received(control)
                steps = neighbours.compactMap { name in after[name].flatMap { end in before[name].map { end - $0 } } }
                return steps.count == neighbours.count && steps.allSatisfy { $0 > 0 }
            }, "\(steps)")
        let (least, most) = (try #require(steps.min()), try #require(steps.max()))
        // A heartbeat, which brings the count, comes every half second: five frames.
        #expect(most - least <= 10, "\(steps)")
        let others = seen.filter { neighbours.contains($0.pipeline ?? "") && $0.type == "source" }
        #expect(others.count == 2 * neighbours.count, "each has connected once")
        let numbered = seen.compactMap(\.seq)
        #expect(numbered == Array(1...UInt64(numbered.count)))
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    private func received(_ control: SocketClient) throws -> [String: UInt64] {
        Dictionary(uniqueKeysWithValues: try status(control).map { ($0.name, $0.source.received) })
    }

    private func status(_ control: SocketClient) throws -> [PipelineStatus] {
        try PipelineStatus.all(in: control.ask(#"{"status":true}"#))
    }
}
