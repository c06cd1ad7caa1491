// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// A live search of codes, with the built daemon and the built worker on the built-in scene.
@Suite struct SearchTests {
    private let bench = DaemonBench()

    /// The scene's EAN passes here some three seconds after the start, again every ten.
    private func write(_ search: String) {
        bench.scope.write(
            "pipelines/kiosk.toml",
            """
            [source]
            kind = "test"
            width = 640
            height = 360
            fps = 15
            [barcode]
            [search]
            source = "barcode"
            reticle = { x = 0.5, y = 0.85 }
            \(search)
            """)
    }

    private func run() -> RunningProgram { bench.run(worker: Program.built("glimpsed-worker")) }

    /// The pipeline rests without subscribers, finds the code after the delay, and answers commands.
    @Test func aSearchSessionRunsFromSubscriptionToResult() async throws {
        bench.configure()
        write("delay = \"500ms\"")
        let daemon = run()
        let control = try await bench.control()
        // A subscriber whose filter excludes the pipeline.
        let other = try await bench.subscribe()
        other.send(#"{"subscribe":{"kinds":["face"]}}"#)
        let client = try await bench.subscribe()
        client.send(#"{"subscribe":{"types":["search"]}}"#)
        let lines = try client.lines { $0.state == "searched" }
            .filter { $0.type == "search" }
        let states = lines.compactMap(\.state).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(states == ["detecting", "searching", "searched"], "\(daemon.errors)")
        let (began, found) = (try #require(lines.first { $0.state == "searching" }), try #require(lines.last))
        #expect(found.text.contains(#""raw":"4006381333931""#) && found.text.contains(#""outcome":"value""#))
        #expect(found.seq != nil && began.track?.id == found.track?.id)
        // Half a second of frames at fifteen a second, if no frame was lost.
        let (from, to) = (try #require(began.frame), try #require(found.frame))
        #expect(to.seq - from.seq >= 8)

        #expect(try control.ask(#"{"dismiss":{"pipeline":"kiosk"}}"#).contains(#""ok":true"#))
        _ = try client.lines { $0.state == "detecting" }
        #expect(bench.command("search", "retry", "kiosk").status == 0)
        #expect(await holds { daemon.errors.contains("search: retry: not in state") })
        #expect(bench.command("search", "dismiss", "shelf").status == 1)
        // The pipeline rests without a subscriber, and restarts with the next one.
        client.close()
        let late = try await bench.subscribe()
        late.send(#"{"subscribe":{"types":["search"]},"after":0}"#)
        let received = try late.lines { $0.state == "not_started" }.compactMap(\.state)
        #expect(received.last == "not_started")
        #expect(try late.lines { $0.state == "detecting" }.last?.state == "detecting")
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    /// A client acts as the search engine.
    @Test func aSubscriberAnswersASearch() async throws {
        bench.configure()
        write("delay = \"0s\"\nengine = \"subscriber\"\ncooldown = \"0s\"")
        let daemon = run()
        let client = try await bench.subscribe()
        client.send(#"{"subscribe":{"types":["search"]}}"#)
        _ = try client.lines { $0.state == "searching" }
        #expect(
            bench.command("search", "result", "kiosk", "1.1", "--id", "a", "--title", "Ä", "--confidence", "0.75")
                .status
                == 0)
        let found = try client.lines { $0.state == "searched" }.last
        #expect(
            found?.text.contains(#""results":[{"id":"a","title":"Ä","confidence":0.75}]"#) == true, "\(daemon.errors)")
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    /// A late subscriber receives the state of the session. The history has the result of each search with its picture.
    /// A killed worker ends its session.
    @Test func theHistoryKeepsTheResultsOfASearch() async throws {
        bench.configure(retention: "events = [\"7d\", \"64MiB\"]")
        mkdir(bench.scope.path("state"), 0o755)
        write(
            """
            delay = "0s"
            engine = "subscriber"
            timeout = "60s"
            result_time = "0s"
            failure_time = "0s"
            """)
        let daemon = run()
        let client = try await bench.subscribe()
        client.send(#"{"subscribe":{"types":["search","source"]}}"#)
        _ = try client.lines { $0.state == "searching" && $0.text.contains(#""crop":""#) }
        #expect(bench.command("search", "result", "kiosk", "1.1", "--error", "closed").status == 0)
        _ = try client.lines { $0.state == "search_failed" }
        #expect(bench.command("search", "retry", "kiosk").status == 0)
        _ = try client.lines { $0.state == "searching" }
        #expect(
            bench.command("search", "result", "kiosk", "1.2", "--id", "a", "--title", "A pen", "--confidence", "0.75")
                .status == 0)
        _ = try client.lines { $0.state == "searched" }

        let late = try await bench.subscribe()
        let state = try #require(try late.lines { $0.type == "state" }.last)
        #expect(state.text.contains(#""searches":[{"pipeline":"kiosk","#), "\(state.text)")
        #expect(state.text.contains(#""state":"searched","search":"1.2""#), "\(state.text)")

        // Counts come with a worker's heartbeat.
        let control = try await bench.control()
        #expect(
            try await holds {
                try control.ask(#"{"status":true}"#).contains(
                    #""pictures":{"waiting":0,"written":1,"refused":0,"failed":0,"deleted":0}"#)
            })
        #expect(bench.command("status").errors.contains("  pictures: 1 written\n"))

        let worker = try #require(
            daemon.errors.split(separator: "\n").last { $0.contains("worker started") }.flatMap { line in
                line.split(separator: " ").first { $0.hasPrefix("pid=") }.flatMap { pid_t($0.dropFirst(4)) }
            })
        kill(worker, SIGKILL)
        #expect(try client.lines { $0.state == "not_started" }.last?.type == "search")
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")

        let history = bench.command("history", "--searches", "--json")
        #expect(history.status == 0 && history.lines.count == 2, "\(history)")
        let (found, failed) = (try #require(history.lines.first), try #require(history.lines.last))
        #expect(
            found.contains(#""type":"search","pipeline":"kiosk","detector":"barcode","kind":"barcode""#), "\(found)")
        #expect(found.contains(#""search":"1.2","outcome":"results","value":"4006381333931""#), "\(found)")
        #expect(found.contains(#""answer":{"results":1,"best":{"id":"a","title":"A pen","confidence":0.75}}"#))
        #expect(failed.contains(#""outcome":"failed""#) && failed.contains(#""reason":"engine","retryable":true"#))
        // A retried search keeps its picture.
        for line in [found, failed] {
            let picture = line.split(separator: #""picture":""#).last?.prefix { $0 != "\"" } ?? ""
            let bytes = try TestFile.read(String(picture))
            #expect(bytes.prefix(3) == [0xFF, 0xD8, 0xFF] && bytes.suffix(2) == [0xFF, 0xD9], "\(line)")
        }
        let text = bench.command("history", "--searches", "--value", "A pen")
        #expect(text.lines.count == 2 && text.lines.last?.contains("  found: A pen (0.75)  ") == true, "\(text)")
        let tracks = bench.command("history", "--tracks", "--json")
        #expect(tracks.lines.contains { $0.contains(#"{"v":1,"type":"track","#) }, "\(tracks)")
        #expect(!tracks.lines.contains { $0.contains(#""type":"search""#) })
        #expect(bench.command("history", "--tracks", "--searches").status == 64)
    }

    /// The kiosk's screen, with a catalogue of its own.
    @Test func theKioskExampleSearches() async throws {
        bench.configure()
        write("delay = \"0s\"\nengine = \"subscriber\"")
        bench.scope.write("catalogue.tsv", "4006381333931\tA highlighter pen\n")
        let daemon = run()
        _ = try await bench.control()
        let kiosk = RunningProgram(
            "\(Checkout.root)/examples/kiosk/kiosk.py",
            [bench.scope.path("e.sock"), bench.scope.path("c.sock"), bench.scope.path("catalogue.tsv")],
            environment: Checkout.pythonClient)
        let text = { String(decoding: kiosk.output, as: UTF8.self) }
        for line in [
            "kiosk: Point your camera at an object", "kiosk: Searching", "kiosk: Found: A highlighter pen",
        ] {
            #expect(await holds { text().contains(line) }, "\(text()) \(kiosk.errors)")
        }
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }
}
