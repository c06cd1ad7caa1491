// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// The built daemon with its journal on disk.
@Suite struct JournalTests {
    private let bench = DaemonBench()
    private var scope: TestScope { bench.scope }

    private func configure(_ events: String = "") {
        bench.configure(
            daemon: "state_dir = \"state\"",
            events: "journal_sync = \"200ms\"\njournal_events = 500\n\(events)",
            retention: "events = [\"7d\", \"64MiB\"]")
        mkdir(scope.path("state"), 0o755)
    }

    /// The daemon is killed repeatedly under load. A reader that comes back with its position misses only updates, and
    /// a gap names them.
    @Test func aSubscriberOverDaemonKillsMissesOnlyReportedUpdates() async throws {
        configure()
        bench.write("door", "connect; tracks 3; updates 1100 3")
        var daemon = bench.run()
        var received: [StreamLine] = []
        var runs = Set<String>()
        for round in 1...4 {
            let client = try await bench.subscribe()
            let after = received.compactMap { $0.seq ?? $0.to }.last ?? 0
            let hello = try #require(try client.next())
            runs.insert(hello.run_id ?? "")
            #expect((hello.next_seq ?? 0) > after, "a number is used again")
            client.send(#"{"after":\#(after),"run_id":"\#(hello.run_id ?? "")"}"#)
            _ = try client.next()
            received += try client.lines { $0.type == "update" && $0.frame?.epoch == UInt64(round) }
            received += try client.lines { ($0.frame?.seq ?? 0) >= 300 }
            daemon.send(round == 4 ? SIGTERM : SIGKILL)
            received += try client.rest()
            _ = daemon.finish()
            if round < 4 { daemon = bench.run() }
        }
        #expect(runs.count == 1)
        expectUpdatesAloneAreMissing(in: received)
        #expect(received.filter { $0.reason == "source_lost" }.count == 9)
        // No id is used twice.
        #expect(Set(received.filter { $0.type == "detected" }.compactMap(\.track?.id)).count == 12)

        let history = bench.command("history", "--json")
        #expect(history.status == 0 && history.lines.count == 12, "\(history)")
        #expect(history.lines.first?.contains(#""reason":"shutdown""#) == true)
        #expect(bench.command("history", "--pipeline", "porch").status == 2)
    }

    private func expectUpdatesAloneAreMissing(in received: [StreamLine]) {
        var next: UInt64 = 1
        for line in received {
            if let from = line.from, let to = line.to {
                #expect(from == next && line.reason == "journal")
                // The gap has only updates, and their number is bounded.
                #expect(line.lost == ["update": to - from + 1], "\(line.text)")
                next = to + 1
            } else if let seq = line.seq {
                #expect(seq == next, "\(line.text)")
                next = seq + 1
            }
        }
        #expect(violation(in: received.map { Array($0.text.utf8) }) == nil)
    }

    /// The kill test with the real worker.
    @Test func tracksOfARealWorkerContinueInTheJournalOverAKill() async throws {
        let real = RealBench()
        real.write("door", barcode: "[[zone]]\nname = \"all\"\npolygon = [[0, 0], [1, 0], [1, 1], [0, 1]]\n")
        real.bench.configure(
            daemon: "state_dir = \"state\"", events: "journal_sync = \"200ms\"",
            retention: "events = [\"7d\", \"64MiB\"]")
        mkdir(real.bench.scope.path("state"), 0o755)
        func run() -> RunningProgram { real.bench.run(worker: Program.built("glimpsed-worker")) }
        var daemon = run()
        var received: [StreamLine] = []
        for round in 1...3 {
            let client = try await real.bench.subscribe()
            client.send(#"{"after":\#(received.compactMap { $0.seq ?? $0.to }.last ?? 0)}"#)
            received += try client.lines { $0.type == "update" && $0.frame?.epoch == UInt64(round) }
            received += try client.lines { $0.type == "update" && $0.frame?.seq ?? 0 >= 30 }
            daemon.send(round == 3 ? SIGTERM : SIGKILL)
            received += try client.rest()
            _ = daemon.finish()
            if round < 3 { daemon = run() }
        }
        received.removeAll { $0.type == "hello" || $0.type == "state" }
        expectUpdatesAloneAreMissing(in: received)
        #expect(received.filter { $0.type == "detected" }.compactMap(\.track?.id) == ["1", "2", "3", "4", "5", "6"])
        #expect(received.filter { $0.type == "completed" && $0.reason == "source_lost" }.count == 4)
        #expect(received.filter { $0.type == "zone" && $0.state == "left" }.count == 6)
    }

    /// The cost of a kill, in the frames' own time: updates of the last interval of `journal_sync`, and the gap has
    /// every one of them. The test allows twice the interval, for a commit that a busy machine delays.
    @Test func aKillLosesJournalUpdatesOfOneInterval() async throws {
        let real = RealBench()
        real.write("door")
        real.bench.configure(
            daemon: "state_dir = \"state\"", events: "journal_sync = \"1s\"",
            retention: "events = [\"7d\", \"64MiB\"]")
        mkdir(real.bench.scope.path("state"), 0o755)
        let daemon = real.bench.run(worker: Program.built("glimpsed-worker"))
        let witness = try await real.bench.subscribe()
        var seen = try witness.lines { $0.frame?.seq ?? 0 >= 35 }
        daemon.send(SIGKILL)
        seen += try witness.rest()
        _ = daemon.finish()

        real.bench.run(worker: Program.built("glimpsed-worker"))
        let late = try await real.bench.subscribe()
        late.send(#"{"after":0}"#)
        let received = try late.lines { $0.frame?.epoch == 2 }
        let kept = Set(received.compactMap(\.seq))
        let lost = seen.filter { line in line.seq.map { !kept.contains($0) } ?? false }
        #expect(lost.allSatisfy { $0.type == "update" })
        for line in lost {
            #expect(received.contains { ($0.from ?? .max) <= (line.seq ?? 0) && (line.seq ?? 0) <= ($0.to ?? 0) })
        }
        let told = received.compactMap(\.lost).reduce(0) { $0 + ($1["update"] ?? 0) }
        // The daemon may have numbered more events than the reader received.
        #expect(told >= lost.count)
        if let first = lost.first?.frame?.pts_ns, let last = seen.compactMap(\.frame?.pts_ns).last {
            #expect(last - first <= 2_000_000_000)
            print("lost \(lost.count) updates of \(Double(last - first) / 1e6) ms")
        }
    }

    /// A limit on the file size simulates a full disk.
    @Test func aFullDiskStopsOnlyTheJournal() async throws {
        configure()
        bench.write("door", "connect; tracks 3; updates 2000000 1")
        let starter = scope.write(
            "start.sh",
            "ulimit -S -f 2000\nexec \(Program.built("glimpsed")) run --config \(scope.path("config.toml"))\n")
        let daemon = RunningProgram(
            "/bin/sh", [starter], environment: ["GLIMPSED_WORKER": Program.built("ScriptedWorker")])
        let client = try await bench.subscribe()
        let control = try await bench.control()
        #expect(
            try await holds {
                try control.ask(#"{"status":true}"#).contains(#""journal":{"writing":false,"error":""#)
            }, "\(daemon.errors)")
        // All other parts continue.
        let before = try client.lines { $0.type == "update" }
        _ = try client.lines { ($0.seq ?? 0) > (before.last?.seq ?? 0) + 2000 }
        // A smaller commit may fit after a failed one and is written. There may be several outages, with one error
        // each.
        #expect(
            await holds {
                bench.command("status").errors.contains("journal on disk: not written: ")
            }, "\(daemon.errors)")
        let told = daemon.errors.split(separator: "\n").filter { $0.contains("the journal on disk") }
        let expected = zip(told, 0...).map { $1.isMultiple(of: 2) ? "failed" : "works again" }
        #expect(!told.isEmpty && zip(told, expected).allSatisfy { $0.contains($1) }, "\(told)")

        let more = Program.run("prlimit", ["--pid", "\(daemon.process)", "--fsize=unlimited:unlimited"])
        #expect(more.status == 0, "\(more)")
        #expect(
            try await holds {
                try control.ask(#"{"status":true}"#).contains(#""journal":{"writing":true,"#)
            }, "\(daemon.errors)")
        // A subscriber that resumes receives the events that the disk missed.
        let late = try await bench.subscribe()
        late.send(#"{"after":0}"#)
        let gap = try #require(try late.lines { $0.type == "gap" }.last)
        #expect(gap.reason == "journal" && gap.lost?.values.reduce(0, +) == (gap.to ?? 0) - (gap.from ?? 0) + 1)
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0)
    }

    @Test func theDaemonServesWithoutAJournalFolder() async throws {
        configure()
        rmdir(scope.path("state"))
        scope.write("state", "a file, where no folder can be made")
        bench.write("door", "connect; tracks 1; updates 100000 5")
        let daemon = bench.run()
        let client = try await bench.subscribe()
        _ = try client.lines { $0.type == "update" }
        #expect(
            daemon.errors.contains("the journal on disk in \(scope.path("state")) failed; events continue without it"))
        unlink(scope.path("state"))
        mkdir(scope.path("state"), 0o755)
        #expect(await holds { daemon.errors.contains("the journal on disk works again") })
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0)
        #expect(bench.command("history").status == 0)
    }

    @Test func aMissingJournalFolderIsCreated() async throws {
        configure()
        rmdir(scope.path("state"))
        bench.write("door", "connect; tracks 1; updates 100000 5")
        let daemon = bench.run()
        let client = try await bench.subscribe()
        _ = try client.lines { $0.type == "update" }
        #expect(!daemon.errors.contains("the journal on disk"), "\(daemon.errors)")
        #expect(access(scope.path("state/journal.tail"), F_OK) == 0)
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0)
    }

    @Test func historyWithoutAJournalNamesTheRemedy() {
        configure()
        let history = bench.command("history")
        #expect(
            history.status == 66 && history.errors.contains("the daemon keeps a history if retention.events has a size")
        )
        #expect(bench.command("history", "--since", "yesterday").status == 64)
    }

    @Test func readersOfOneUserAreLimited() async throws {
        configure("max_per_user = 2")
        bench.run()
        let clients = [try await bench.subscribe(), try await bench.subscribe()]
        let third = try await bench.subscribe()
        let refusal = try #require(try third.next())
        #expect(
            refusal.type == "error"
                && refusal.reason == "too many connections of user \(geteuid()): events.max_per_user is 2")
        #expect(try third.next() == nil)
        clients[0].close()
        #expect(
            try await holds {
                let next = try await bench.subscribe()
                return try next.next()?.type == "hello"
            })
    }
}
