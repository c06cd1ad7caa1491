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

    /// Rests while nobody subscribes, finds the code after the delay, and answers commands.
    @Test func aSessionFromSubscriptionToResult() async throws {
        bench.configure()
        write("delay = \"500ms\"")
        let daemon = run()
        let control = try await bench.control()
        // For whom it is of no use.
        let other = try await bench.subscribe()
        other.send(#"{"subscribe":{"kinds":["face"]}}"#)
        let client = try await bench.subscribe()
        client.send(#"{"subscribe":{"types":["search"]}}"#)
        let lines = try client.lines(within: .seconds(60)) { $0.state == "searched" }
            .filter { $0.type == "search" }
        let states = lines.compactMap(\.state).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(states == ["detecting", "searching", "searched"], "\(daemon.errors)")
        let (began, found) = (try #require(lines.first { $0.state == "searching" }), try #require(lines.last))
        #expect(found.text.contains(#""raw":"4006381333931""#) && found.text.contains(#""outcome":"value""#))
        #expect(found.seq != nil && began.track?.id == found.track?.id)
        // Half a second of frames at fifteen a second, where none was lost.
        let (from, to) = (try #require(began.frame), try #require(found.frame))
        #expect(to.seq - from.seq >= 8)

        #expect(try control.ask(#"{"dismiss":{"pipeline":"kiosk"}}"#).contains(#""ok":true"#))
        _ = try client.lines(within: .seconds(20)) { $0.state == "detecting" }
        #expect(bench.command("search", "retry", "kiosk").status == 0)
        #expect(await holds(within: .seconds(20)) { daemon.errors.contains("search: retry: not in state") })
        #expect(bench.command("search", "dismiss", "shelf").status == 1)
        // Without its subscriber it rests; with the next one it looks again.
        client.close()
        let late = try await bench.subscribe()
        late.send(#"{"subscribe":{"types":["search"]},"after":0}"#)
        let story = try late.lines(within: .seconds(60)) { $0.state == "not_started" }.compactMap(\.state)
        #expect(story.last == "not_started")
        #expect(try late.lines(within: .seconds(20)) { $0.state == "detecting" }.last?.state == "detecting")
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    /// A client is the engine.
    @Test func aSubscriberAnswers() async throws {
        bench.configure()
        write("delay = \"0s\"\nengine = \"subscriber\"\ncooldown = \"0s\"")
        let daemon = run()
        let client = try await bench.subscribe()
        client.send(#"{"subscribe":{"types":["search"]}}"#)
        _ = try client.lines(within: .seconds(60)) { $0.state == "searching" }
        #expect(
            bench.command("search", "result", "kiosk", "1.1", "--id", "a", "--title", "Ä", "--confidence", "0.75")
                .status
                == 0)
        let found = try client.lines(within: .seconds(20)) { $0.state == "searched" }.last
        #expect(
            found?.text.contains(#""results":[{"id":"a","title":"Ä","confidence":0.75}]"#) == true, "\(daemon.errors)")
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    /// The kiosk's screen, with a catalogue of its own.
    @Test func theKiosk() async throws {
        bench.configure()
        write("delay = \"0s\"\nengine = \"subscriber\"")
        bench.scope.write("catalogue.tsv", "4006381333931\tA highlighter pen\n")
        let daemon = run()
        _ = try await bench.control()
        let kiosk = RunningProgram(
            "\(Checkout.root)/examples/kiosk/kiosk.py",
            [bench.scope.path("e.sock"), bench.scope.path("c.sock"), bench.scope.path("catalogue.tsv")])
        let text = { String(decoding: kiosk.output, as: UTF8.self) }
        for line in [
            "kiosk: Point your camera at an object", "kiosk: Searching ...", "kiosk: Found: A highlighter pen",
        ] {
            #expect(await holds(within: .seconds(60)) { text().contains(line) }, "\(text()) \(kiosk.errors)")
        }
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }
}
