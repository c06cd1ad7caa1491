// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// `source.on_demand` with the built daemon and the built worker.
@Suite struct OnDemandTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    /// The processes of live workers.
    private func workers(_ daemon: RunningProgram) -> Int {
        daemon.errors.split(separator: " ").compactMap { $0.hasPrefix("pid=") ? pid_t($0.dropFirst(4)) : nil }
            .count { kill($0, 0) == 0 }
    }

    @Test func aPipelineOnDemandRunsFromItsFirstSubscriberToItsLast() async throws {
        real.write("door", source: "on_demand = true\nlinger = \"200ms\"")
        let daemon = real.run()
        let control = try await bench.control()
        let status = #"{"status":true}"#
        #expect(try control.ask(status).contains(#""name":"door","#))
        #expect(try control.ask(status).contains(#""state":"paused","reason":"on_demand""#))

        // A subscriber whose filter excludes the pipeline.
        let other = try await bench.subscribe()
        other.send(#"{"subscribe":{"pipelines":["porch-*"]}}"#)
        let faces = try await bench.subscribe()
        faces.send(#"{"subscribe":{"kinds":["face"]}}"#)
        let sources = try await bench.subscribe()
        sources.send(#"{"subscribe":{"types":["source","config"]}}"#)
        // A subscriber that receives what others ask for.
        let passive = try await bench.subscribe()
        passive.send(#"{"subscribe":{"passive":true}}"#)
        for client in [other, faces, sources, passive] { _ = try client.lines { $0.type == "hello" } }
        #expect(workers(daemon) == 0, "\(daemon.errors)")

        for round in 1...2 {
            let client = try await bench.subscribe()
            client.send(#"{"subscribe":{"kinds":["barcode"]}}"#)
            let lines = try client.lines { $0.type == "update" }
            #expect(lines.first?.text.contains(#""state":"paused","reason":"on_demand""#) == true, "its hello")
            #expect(lines.contains { $0.state == "connected" } && workers(daemon) == 1)
            #expect(lines.last?.frame?.epoch == UInt64(round))
            client.close()
            #expect(try await holds { try control.ask(status).contains(#""reason":"on_demand""#) }, "\(daemon.errors)")
            #expect(workers(daemon) == 0)
        }
        let refused = bench.command("resume", "door")
        #expect(
            refused.status == 1 && refused.errors.contains("it has no subscriber, and it runs on demand"), "\(refused)")
        #expect(bench.command("status").errors.contains("door: paused until a client subscribes"))

        daemon.send(SIGTERM)
        let received = try other.rest()
        #expect(received.allSatisfy { $0.type != "detected" })
        #expect(try passive.rest().contains { $0.type == "detected" })
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
        let heard = try sources.rest().compactMap(\.state)
        let round = ["connecting", "connected", "ended", "paused"]
        #expect(heard == round + round)
    }

    @Test func aSnapshotStartsAPipelineOnDemandAndHistoryDoesNot() async throws {
        real.write("door", source: "on_demand = true\nlinger = \"100ms\"")
        bench.configure(retention: "events = [\"7d\", \"8MiB\"]")
        let daemon = bench.run(worker: Program.built("glimpsed-worker"))
        let control = try await bench.control()
        #expect(try await holds { try control.ask(#"{"status":true}"#).contains(#""reason":"on_demand""#) })
        #expect(workers(daemon) == 0, "a journal on disk keeps what happens, and asks for nothing: \(daemon.errors)")
        let taken = bench.command("snapshot", "door")
        #expect(taken.status == 0, "\(taken)")
        #expect(access(bench.scope.path("state/snapshots/door.jpg"), R_OK) == 0)
        #expect(
            try await holds { try control.ask(#"{"status":true}"#).contains(#""reason":"on_demand""#) },
            "\(daemon.errors)")
        #expect(workers(daemon) == 0)
        // A pipeline that a person paused stays paused.
        #expect(bench.command("pause", "door").status == 0)
        #expect(bench.command("snapshot", "door").errors.contains("no worker is running"))
    }

    @Test func aReloadSwitchesAPipelineToOnDemandAndBack() async throws {
        real.write("door")
        let daemon = real.run()
        #expect(await holds { workers(daemon) == 1 }, "\(daemon.errors)")
        real.write("door", source: "on_demand = true\nlinger = \"100ms\"")
        #expect(bench.command("reload").status == 0)
        #expect(await holds { workers(daemon) == 0 }, "\(daemon.errors)")
        real.write("door")
        #expect(bench.command("reload").status == 0)
        #expect(await holds { workers(daemon) == 1 }, "\(daemon.errors)")
    }
}
