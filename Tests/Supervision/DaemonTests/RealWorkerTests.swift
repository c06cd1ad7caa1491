// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// The built daemon with the built `glimpsed-worker`.
@Suite struct RealWorkerTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    private func workers(_ daemon: RunningProgram, _ pipeline: String = "") -> [pid_t] {
        daemon.errors.split(separator: "\n").filter { $0.contains("pipeline=\(pipeline)") }.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("pid=") }.flatMap { pid_t($0.dropFirst(4)) }
        }
    }

    private func start(
        _ pipelines: [String], workers: String = "", environment: [String: String] = [:]
    ) -> RunningProgram {
        for name in pipelines { real.write(name) }
        return real.run(workers: workers, environment: environment)
    }

    @Test func aKilledWorkerIsReplacedAndEventsConform() async throws {
        let daemon = start(["scene"])
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        let before = try client.lines { $0.type == "update" }
        let first = try #require(workers(daemon).first)
        kill(first, SIGKILL)
        let after = try client.lines { $0.type == "update" && $0.frame?.epoch == 2 }
        daemon.send(SIGTERM)
        let end = try client.rest()
        #expect(daemon.finish().status == 0, "\(daemon.errors)")

        let received = before + after + end
        let sequences = received.compactMap(\.seq)
        #expect(sequences == Array(1...UInt64(sequences.count)))
        #expect(violation(in: received.map { Array($0.text.utf8) }) == nil)
        #expect(after.contains { $0.type == "completed" && $0.reason == "source_lost" && $0.frame?.epoch == 1 })
        #expect(after.contains { $0.state == "lost" && $0.error == "the worker was killed by signal 9" })
        #expect(end.contains { $0.type == "completed" && $0.reason == "shutdown" && $0.frame?.epoch == 2 })
        for pid in workers(daemon) { #expect(kill(pid, 0) != 0) }
    }

    /// Subscribers that ask receive the times of each frame, from the camera's picture on. The lines of others do not
    /// change.
    @Test func stageTimesGoOnlyToSubscribersThatRequestThem() async throws {
        let daemon = start(["scene"])
        let other = try await bench.subscribe()
        other.send(#"{"subscribe":{"types":["update"]}}"#)
        // The other subscriber receives every line from here on.
        let first = try #require(try other.lines { $0.type == "update" }.last?.frame?.seq)
        let client = try await bench.subscribe()
        client.send(#"{"subscribe":{"types":["update"],"stages":true}}"#)
        let told = try client.lines { $0.type == "update" && ($0.frame?.seq ?? 0) > first + 10 }
            .filter { $0.type == "update" }
        let plain = try other.lines { $0.seq == told.last?.seq }.filter { $0.type == "update" }
        for line in told {
            let stages = try #require(line.stages_us)
            #expect(stages.keys.sorted() == ["decode", "detect", "emit", "track", "wait"])
            #expect(stages.values.allSatisfy { $0 < 60_000_000 } && (stages["detect"] ?? 0) > 0, "\(stages)")
            let same = try #require(plain.first { $0.seq == line.seq })
            #expect(same.stages_us == nil && line.text.hasPrefix(same.text.dropLast()))
        }
        let bytes = told.map { Array($0.text.utf8) }
        #expect(violation(in: bytes, isFiltered: true, types: ["update"], isOpen: true) == nil)
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    /// After any fault inside a worker, the pipeline continues with another worker, and its neighbour notices nothing.
    @Test(
        arguments: [
            ("abort", "was killed by signal 6"), ("segv", "was killed by signal 11"),
            ("stop", "failed: no heartbeat for 2.0 seconds"),
            ("loop", "failed: its detector barcode has worked on one frame for over 2.0 seconds"),
            ("leak", " MiB of memory, over workers.memory_limit = 512 MiB"),
        ])
    func aFaultInADetectorEndsOnlyItsWorker(fault: String, error: String) async throws {
        // A worker that is only slow, as during a crash on a busy machine, must not count as hung.
        let stalls = ["stop", "loop"].contains(fault)
        let settings = "memory_limit = \"512MiB\"\n\(stalls ? "stall_limit = \"2s\"" : "")"
        let daemon = start(["door"], workers: settings, environment: ["GLIMPSED_FAULT": "\(fault):barcode:20"])
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        let received = try client.lines { $0.type == "update" && $0.frame?.epoch == 2 }
        let lost = try #require(received.firstIndex { $0.state == "lost" })
        #expect(received[lost].error?.hasSuffix(error) == true, "\(received[lost].text)")
        #expect(received[..<lost].last?.reason == "source_lost")
        #expect(received.compactMap(\.seq) == Array(1...UInt64(received.compactMap(\.seq).count)))
        daemon.send(SIGTERM)
        let end = try client.rest()
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
        #expect(violation(in: (received + end).map { Array($0.text.utf8) }) == nil)
        for pid in workers(daemon) { #expect(kill(pid, 0) != 0) }
    }

    @Test func statusCountsDetectionsBeyondTheTrackersLimits() async throws {
        real.write("door", barcode: "[barcode.tracking]\ncapacity = 1\n")
        let daemon = real.run()
        let control = try await bench.control()
        // The picture shows two codes, and the tracker has room for one.
        #expect(
            try await holds(within: .seconds(60)) {
                try control.ask(#"{"status":true}"#).contains(/"refused_detections":[1-9][0-9]*,"evicted_tracks":0/)
            }, "\(daemon.errors)")
        #expect(bench.command("status").errors.contains(/, refused detections: [1-9]/))
    }

    /// Subscribers that ask receive a line for each frame, even without news. The lines of others do not change, and
    /// the worker sends none unasked.
    @Test func frameLinesGoOnlyToSubscribersThatRequestThem() async throws {
        real.write("door", barcode: "allow = [\"^nothing\"]\n", source: "")
        let daemon = real.run()
        let (client, slow, other) = (
            try await bench.subscribe(), try await bench.subscribe(), try await bench.subscribe()
        )
        client.send(#"{"subscribe":{"frames":true}}"#)
        slow.send(#"{"subscribe":{"frames":true,"frame_hz":2}}"#)
        other.send(#"{"ping":"live"}"#)
        let told = try client.lines(within: .seconds(60)) { $0.type == "frame" && ($0.frame?.seq ?? 0) > 30 }
        let frames = told.filter { $0.type == "frame" }
        #expect(frames.allSatisfy { $0.seq == nil && $0.text.contains(#""in_view":0,"missing":0"#) })
        #expect(violation(in: told.map { Array($0.text.utf8) }, isOpen: true) == nil)
        let rare = try slow.lines(within: .seconds(60)) { $0.type == "frame" && ($0.frame?.seq ?? 0) > 30 }
            .filter { $0.type == "frame" }
        // The frame lines come every half second, and the frames between them are counted.
        for (before, after) in zip(rare, rare.dropFirst()) {
            let step = (after.frame?.pts_ns ?? 0) - (before.frame?.pts_ns ?? 0)
            #expect(step > 400_000_000 && (after.coalesced ?? 0) > 0, "\(before.text) \(after.text)")
        }
        // The command subscribes to frame lines only.
        let watch = Program.run(
            "/bin/sh",
            [
                "-c",
                "\(Program.built("glimpsed")) watch --socket \(bench.scope.path("e.sock")) --json --frames --frame-rate 5 --type config "
                    + "| head -n 4",
            ], within: .seconds(60))
        #expect(
            watch.lines.count == 4 && watch.lines.suffix(2).allSatisfy { $0.contains(#""type":"frame""#) }, "\(watch)")
        client.send(#"{"subscribe":{},"ping":"enough"}"#)
        _ = try client.lines(within: .seconds(60)) { $0.echo == "enough" }
        daemon.send(SIGTERM)
        #expect(try client.rest().allSatisfy { $0.type != "frame" })
        #expect(try other.rest().allSatisfy { $0.type != "frame" })
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    @Test func statusHasMeasurementsOfARealWorker() async throws {
        let daemon = start(["door", "porch"])
        let control = try await bench.control()
        #expect(
            try await holds {
                let status = try control.ask(#"{"status":true}"#)
                return status.components(separatedBy: #""operational":true,"#).count == 3
                    && status.components(separatedBy: #"},"latency_us":{"p50":"#).count == 3
                    && !status.contains(#""latency_us":{"p50":0,"#)
            }, "\(daemon.errors)")
    }

    @Test func aFocusCommandSetsAndClearsTheFocusByTrackID() async throws {
        let daemon = start(["door"])
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var seen = Set<String>()
        var received = try client.lines {
            if $0.type == "update" { seen.insert($0.track?.id ?? "") }
            return seen == ["1", "2"]
        }
        #expect(bench.command("focus", "door", "barcode", "2").status == 0)
        received += try client.lines { $0.type == "completed" }
        #expect(received.last?.reason == "focus_changed" && received.last?.track?.id == "1")
        // A busy worker may leave out any frame.
        let end = (received.last?.frame?.seq ?? 0) + 15
        let focused = try client.lines { ($0.frame?.seq ?? 0) >= end }
        #expect(Set(focused.compactMap(\.track?.id)) == ["2"])
        #expect(focused.last?.text.contains(#""focus":true"#) == true)
        #expect(bench.command("focus", "door", "barcode", "77").status == 0)
        #expect(await holds { daemon.errors.contains("barcode: cannot focus on track 77: the track is not live") })
        #expect(bench.command("focus", "door", "barcode").status == 0)
        received += focused + (try client.lines { $0.type == "detected" })
        #expect(bench.command("focus", "door", "face").status == 1)
        daemon.send(SIGTERM)
        received += try client.rest()
        #expect(violation(in: received.map { Array($0.text.utf8) }) == nil)
    }
}
