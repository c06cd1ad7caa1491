// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// Reloads of the built daemon, and the pipelines that they affect.
@Suite struct ReloadTests {
    private let bench = DaemonBench()
    private let steady = "connect; detector face yes; tracks 2; updates 1000000 2"

    /// The pipeline's lines come from one worker, without a missing frame.
    private func expectUndisturbed(_ pipeline: String, _ received: [StreamLine]) {
        let lines = received.filter { $0.pipeline == pipeline }
        #expect(lines.allSatisfy { ($0.frame?.epoch ?? 1) == 1 }, "\(pipeline)")
        #expect(lines.filter { $0.type == "completed" }.isEmpty, "\(pipeline)")
        let frames = lines.filter { $0.type == "update" && $0.track?.id == "1" }.compactMap(\.frame?.seq)
        #expect(frames.count > 1 && frames == Array(frames[0]..<(frames[0] + UInt64(frames.count))), "\(pipeline)")
    }

    @Test func aReloadRestartsOnlyChangedPipelines() async throws {
        bench.configure()
        bench.write("same", steady)
        bench.write("other", "connect; detector face yes; tracks 1")
        bench.write("old", "connect; detector face yes; tracks 1")
        bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var seen = Set<String>()
        var received = try client.lines {
            if $0.type == "update" { seen.insert($0.pipeline ?? "") }
            return seen.count == 3
        }
        bench.write("same", steady, settings: "# another comment")
        bench.write("other", "connect; detector face yes; tracks 1", settings: "tags = { side = \"north\" }")
        bench.remove("old")
        bench.write("new", "connect; tracks 1")

        let dry = bench.command("reload", "--dry-run")
        let plan = "changed   other: tags.side\nadded     new\nremoved   old\n"
        #expect(dry.status == 0 && dry.errors == plan + "dry run: no change was applied\n", "\(dry)")
        let done = bench.command("reload")
        #expect(done.status == 0 && done.errors == plan, "\(done)")
        #expect(bench.command("reload").errors == "nothing has changed\n")

        var wanted: Set = ["new", "other"]
        received += try client.lines {
            if $0.type == "update", $0.pipeline == "new" || $0.frame?.epoch == 2 { wanted.remove($0.pipeline ?? "") }
            return wanted.isEmpty
        }
        #expect(received.compactMap(\.seq) == Array(1...UInt64(received.compactMap(\.seq).count)))
        expectUndisturbed("same", received)
        let config = received.filter { $0.type == "config" }
        #expect(config.map(\.changed) == [["new", "old", "other"]] && config.map(\.revision) == [2])
        #expect(try EventSchema.violations(in: config.map { Array($0.text.utf8) }) == [])
        for name in ["old", "other"] {
            let ends = received.filter { $0.pipeline == name && $0.type == "completed" }
            #expect(ends.map(\.reason) == ["reload"], "\(name)")
        }
        // Ids continue, and the tags are new.
        let next = try #require(received.first { $0.pipeline == "other" && $0.frame?.epoch == 2 })
        #expect(next.track?.id == "2")
        let late = try #require(try await bench.subscribe().next())
        #expect(late.pipelines?.map(\.name).sorted() == ["new", "other", "same"])
    }

    @Test func anErrorInAReloadKeepsTheOldConfigurationAndIsReported() async throws {
        bench.configure()
        bench.write("same", steady)
        let daemon = bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var received = try client.lines { $0.type == "update" }
        bench.write("new", "connect")
        bench.scope.write("pipelines/bad.toml", "[source]\nkind = \"test\"\nwidht = 640\n")
        let refused = bench.command("reload")
        let problem =
            "\(bench.scope.folder)/pipelines/bad.toml:3: [source] unknown key \"widht\"; did you mean \"width\"?"
        #expect(refused.status == 78)
        #expect(refused.errors == "\(problem)\nglimpsed: 1 problem: the old configuration stays\n", "\(refused)")
        received += try client.lines { $0.type == "config" }
        #expect(received.last?.error == problem && received.last?.revision == 1)
        #expect(await holds { daemon.errors.contains("error: reload: \(problem)") })

        let control = try await bench.control()
        let reply = try control.ask(#"{"reload":{},"request":"r"}"#)
        #expect(reply.hasPrefix(#"{"v":1,"type":"reply","request":"r","ok":false,"error":"1 problem: "#))
        #expect(reply.contains(#""line":3,"key":"source.widht","#), "\(reply)")
        #expect(try !control.ask(#"{"status":true}"#).contains(#""name":"new""#))
        received += try client.lines { $0.frame?.seq ?? 0 > 100 }
        expectUndisturbed("same", received)
    }

    @Test func aHangUpSignalOrAChangedFileReloads() async throws {
        bench.configure()
        bench.write("same", steady)
        let daemon = bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var received = try client.lines { $0.type == "update" }
        bench.write("second", "connect; tracks 1")
        daemon.send(SIGHUP)
        received += try client.lines { $0.type == "update" && $0.pipeline == "second" }
        bench.configure(daemon: "watch_files = true")
        daemon.send(SIGHUP)
        received += try client.lines { $0.type == "config" }
        bench.write("third", "connect; tracks 1")
        received += try client.lines { $0.type == "update" && $0.pipeline == "third" }
        #expect(received.filter { $0.type == "config" }.map(\.changed) == [["second"], [], ["third"]])
        // A file that is written in steps is read when writes stop. A file with an error changes nothing.
        for _ in 0..<10 {
            bench.scope.write("pipelines/third.toml", "[source]\nkind = ")
            usleep(20_000)
        }
        let refused = try client.lines { $0.type == "config" }
        #expect(refused.last?.error != nil && refused.last?.revision == 4 && refused.last?.changed == nil)
        received += refused
        expectUndisturbed("same", received)
    }

    @Test(arguments: ["detector face no", "connect; detector face no", "exit 78", "kill 9", "lose; exit 1"])
    func reloadedSettingsThatFailAreRolledBack(script: String) async throws {
        let good = "connect; detector face yes; tracks 1"
        bench.configure(
            daemon: "trial = \"700ms\"", workers: "restart_backoff = [\"1ms\", \"5ms\"]\ncrash_limit = 1000")
        bench.write("same", steady)
        bench.write("door", good)
        bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var received = try client.lines { $0.type == "update" && $0.pipeline == "door" }
        bench.write("door", script, settings: "tags = { n = \"2\" }")
        #expect(bench.command("reload").status == 0)
        received += try client.lines { $0.type == "config" && $0.error != nil }
        #expect(received.last?.changed == ["door"] && received.last?.revision == 3)
        #expect(
            received.last?.error == "door did not work within 0.7 seconds of the reload; its old settings are restored")
        received += try client.lines { $0.type == "update" && $0.pipeline == "door" }
        #expect(received.last?.text.contains("\"tags\"") == false)
        #expect(
            try await bench.control().ask(#"{"reload":{"dry_run":true}}"#).contains(
                #""pipeline":"door","keys":["tags.n"]"#))
        expectUndisturbed("same", received)
    }

    @Test func theTrialOfAReloadNeedsAConfigurationThatWorked() async throws {
        bench.configure(daemon: "trial = \"3s\"")
        bench.write("good", "connect; detector face yes; tracks 1")
        bench.write("bad", "detector face no")
        let daemon = bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var kinds = Set<String>()
        _ = try client.lines {
            if $0.type == "update" || $0.type == "detector" { kinds.insert("\($0.pipeline ?? "") \($0.type)") }
            return kinds.isSuperset(of: ["good update", "bad detector"])
        }
        for name in ["good", "bad"] {
            bench.write(
                name, "connect; detector face \(name == "good" ? "yes" : "no"); tracks 1",
                settings: "tags = { n = \"2\" }")
        }
        #expect(bench.command("reload").status == 0)
        #expect(await holds { daemon.errors.contains("reload: good works with its new settings") })
        #expect(bench.command("reload").errors == "nothing has changed\n")
        // A trial that begins later ends later. When this trial has failed, a trial of `bad` would have failed too.
        bench.write("good", "detector face no", settings: "tags = { n = \"3\" }")
        #expect(bench.command("reload").status == 0)
        #expect(await holds { daemon.errors.contains("good did not work within") })
        #expect(!daemon.errors.contains("bad did not work within"))
    }

    @Test func aReloadKeepsTheSockets() async throws {
        bench.configure()
        let daemon = bench.run()
        let control = try await bench.control()
        bench.configure(events: "queue = \"1MiB\"", workers: "memory_limit = \"64MiB\"")
        let line = "restart   events.queue takes effect when the daemon is restarted\n"
        #expect(bench.command("reload").errors == "applied   workers.memory_limit\n" + line)
        #expect(bench.command("reload").errors == line)
        #expect(try control.ask(#"{"status":true}"#).contains(#""revision":2,"restart_needed":["events.queue"]"#))
        #expect(daemon.errors.contains("reload: events.queue takes effect when the daemon is restarted"))
    }

    /// Any change of one pipeline's file costs the other pipelines no frame and no track, and a subscriber no line.
    @Test func manyReloadsUnderLoad() async throws {
        let others = ["a", "b", "c"]
        bench.configure(daemon: "stop_limit = \"2s\"")
        for name in others { bench.write(name, steady) }
        bench.write("edited", "connect; detector face yes; tracks 1")
        bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var received = try client.lines { $0.pipeline == "edited" && $0.type == "update" }
        let control = try await bench.control()
        var random = SeededRandom(seed: 11)
        for round in Fuzz.rounds(20) {
            let script = "connect; detector face yes; tracks 1"
            var isValid = true
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bench.remove("edited")
            case 1: bench.write("edited", script, settings: "enabled = false")
            case 2: bench.write("edited", script, settings: "# \(round)")
            case 3, 4, 5: bench.write("edited", script, settings: "tags = { round = \"\(round)\" }")
            case 6:
                bench.write("edited", script, settings: "tags = { round = ")
                isValid = false
            default:
                bench.write("edited", script, settings: "roundd = \(round)")
                isValid = false
            }
            let reply = try control.ask(#"{"reload":true,"request":\#(round)}"#)
            #expect(reply.hasPrefix(#"{"v":1,"type":"reply","request":\#(round),"ok":\#(isValid),"#), "\(reply)")
            // The client reads all the time, like any subscriber.
            received += try client.lines { $0.pipeline == "a" && $0.type == "update" }
        }
        let newest = try #require(received.last?.frame?.seq)
        for name in others {
            received += try client.lines { $0.pipeline == name && $0.frame?.seq ?? 0 > newest + 20 }
        }
        for name in others { expectUndisturbed(name, received) }
        let numbers = received.compactMap(\.seq)
        #expect(numbers == Array(1...UInt64(numbers.count)))
    }
}
