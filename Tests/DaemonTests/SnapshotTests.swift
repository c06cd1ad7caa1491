import Foundation
import GlimpseTesting
import Testing

/// Pictures of what a pipeline sees, from the built daemon with the built worker.
@Suite struct SnapshotTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    private func start(daemon: String = "") async throws {
        real.write("door")
        bench.configure(daemon: daemon)
        bench.run(worker: Program.built("glimpsed-worker"))
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        _ = try client.lines(within: .seconds(60)) { $0.state == "connected" }
    }

    @Test func theFileIsWholeWhenTheAnswerNamesIt() async throws {
        try await start()
        let path = bench.scope.path("state/snapshots/door.jpg")
        for _ in 0..<3 {
            let taken = bench.command("snapshot", "door")
            #expect(taken.status == 0 && taken.lines == [path], "\(taken)")
            let bytes = try TestFile.read(path)
            #expect(bytes.prefix(3) == [0xFF, 0xD8, 0xFF] && bytes.suffix(2) == [0xFF, 0xD9])
            let detected = Program.run(Program.built("glimpsed-worker"), ["detect", "--barcode", path])
            #expect(detected.lines.first?.contains("to the left") == true, "\(detected)")
        }
        let folder = bench.scope.path("state/snapshots")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["door.jpg"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        let unknown = bench.command("snapshot", "porch")
        #expect(unknown.status == 1)
        #expect(unknown.errors == "glimpsed: pipeline porch: there is none; the pipelines: door\n")
        #expect(bench.command("pause", "door").status == 0)
        #expect(bench.command("snapshot", "door").errors == "glimpsed: pipeline door: it has no worker now\n")
    }

    @Test func noneWhereNoPictureMayLeaveAWorker() async throws {
        try await start(daemon: "no_images = true")
        let refused = bench.command("snapshot", "door")
        #expect(refused.status == 1)
        #expect(refused.errors == "glimpsed: no picture leaves a worker here: daemon.no_images is true\n")
        #expect(!FileManager.default.fileExists(atPath: bench.scope.path("state/snapshots")))
    }
}
