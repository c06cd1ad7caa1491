import Glibc
import GlimpseTesting
import Testing

/// The built daemon with the built `glimpsed-worker` on a symbol that stays in view: needs GStreamer and ZXing, no model and no camera.
@Suite struct RealWorkerTests {
    private let scope = TestScope()

    private func workers(_ daemon: RunningProgram) -> [pid_t] {
        daemon.errors.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("pid=") }.flatMap { pid_t($0.dropFirst(4)) }
        }
    }

    @Test func aKilledWorkerIsReplacedAndTheStoryStaysWhole() async throws {
        let config = scope.write(
            "config.toml", "[events]\nsocket = \"e.sock\"\ngroup = \"\"\n[control]\nsocket = \"c.sock\"\ngroup = \"\"\n"
        )
        let picture = scope.path("symbol.pgm")
        let drawing = RunningProgram(
            Program.built("glimpsed-worker"), ["symbol", "qr_code", "here to stay", "--output", picture])
        #expect(drawing.finish().status == 0, "\(drawing.errors)")
        let launch = "filesrc location=\(picture) ! decodebin ! imagefreeze is-live=true ! video/x-raw,framerate=15/1"
        scope.write("pipelines/scene.toml", "[source]\nkind = \"launch\"\nlaunch = \"\(launch)\"\n[barcode]\n")
        let daemon = RunningProgram(
            Program.built("glimpsed"), ["run", "--config", config],
            environment: ["GLIMPSED_WORKER": Program.built("glimpsed-worker")])
        let path = scope.path("e.sock")
        #expect(await holds { (try? SocketClient(path)) != nil }, "\(daemon.errors)")
        let client = try SocketClient(path)
        client.send(#"{"after":0}"#)
        let before = try client.lines(within: .seconds(60)) { $0.type == "update" }
        let first = try #require(workers(daemon).first)
        kill(first, SIGKILL)
        let after = try client.lines(within: .seconds(60)) { $0.type == "update" && $0.frame?.epoch == 2 }
        daemon.send(SIGTERM)
        let end = try client.rest()
        #expect(daemon.finish().status == 0, "\(daemon.errors)")

        let story = before + after + end
        let sequences = story.compactMap(\.seq)
        #expect(sequences == Array(1...UInt64(sequences.count)))
        #expect(try LifeCycleGrammar.violations(in: story.map { Array($0.text.utf8) }) == [])
        #expect(after.contains { $0.type == "completed" && $0.reason == "source_lost" && $0.frame?.epoch == 1 })
        #expect(after.contains { $0.state == "lost" && $0.error == "the worker was ended by signal 9" })
        #expect(end.contains { $0.type == "completed" && $0.reason == "shutdown" && $0.frame?.epoch == 2 })
        for pid in workers(daemon) { #expect(kill(pid, 0) != 0) }
    }
}
