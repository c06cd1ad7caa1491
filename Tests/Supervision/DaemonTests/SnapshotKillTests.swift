// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// A picture that a line names exists and is complete, whenever the worker is killed.
@Suite struct SnapshotKillTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    @Test func aSnapshotOutlivesItsWorker() async throws {
        real.write("door", barcode: "[snapshot]\non = [\"detected\", \"best\"]\nbest_interval = \"100ms\"\n")
        let daemon = real.run(workers: "restart_backoff = [\"1ms\", \"1ms\"]\ncrash_limit = 1000")
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var random = SeededRandom(seed: 11)
        var (named, epoch) = (0, UInt64(0))
        for _ in Fuzz.rounds(8) {
            // A random moment in the life of a worker that takes pictures.
            epoch += 1
            let lines = try client.lines { $0.type == "snapshot" && $0.frame?.epoch == epoch }
            named += try check(lines)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...150, using: &random)))
            let worker = try #require(
                daemon.errors.split(separator: "\n").last { $0.contains("pid=") }.flatMap { line in
                    line.split(separator: " ").first { $0.hasPrefix("pid=") }.flatMap { pid_t($0.dropFirst(4)) }
                })
            kill(worker, SIGKILL)
        }
        daemon.send(SIGTERM)
        named += try check(try client.rest())
        #expect(daemon.finish().status == 0)
        #expect(named >= 8)
    }

    /// - Returns: how many pictures the lines name.
    private func check(_ lines: [StreamLine]) throws -> Int {
        var named = 0
        for line in lines where line.type == "snapshot" || line.type == "completed" {
            let members = try #require(
                JSONSerialization.jsonObject(with: Data(line.text.utf8)) as? [String: Any])
            let best = (members["best"] as? [String: Any])?["snapshot"] as? String
            guard let path = members["file"] as? String ?? best else { continue }
            let bytes = try TestFile.read(path)
            #expect(bytes.prefix(3) == [0xFF, 0xD8, 0xFF] && bytes.suffix(2) == [0xFF, 0xD9], "\(path)")
            let metadata = try TestFile.read(path.dropLast(4) + ".json")
            #expect((try? JSONSerialization.jsonObject(with: Data(metadata))) != nil, "\(path)")
            named += 1
        }
        return named
    }
}
