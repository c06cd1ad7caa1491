// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Snapshots of a pipeline, from the built daemon with the built worker.
@Suite struct SnapshotTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    @discardableResult
    private func start(daemon: String = "") async throws -> RunningProgram {
        real.write("door")
        bench.configure(daemon: daemon)
        let running = bench.run(worker: Program.built("glimpsed-worker"))
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        _ = try client.lines { $0.state == "connected" }
        return running
    }

    /// The line names the user, the pipeline and the time. A refused command has none.
    @Test func eachViewerOfASnapshotHasALineInTheLog() async throws {
        let daemon = try await start()
        #expect(bench.command("snapshot", "door").status == 0)
        #expect(bench.command("snapshot", "porch").status == 1)
        let line = /pictures: user (\d+): snapshot of pipeline (\S+), from \S+Z to \S+Z/
        #expect(await holds { daemon.errors.firstMatch(of: line) != nil }, "\(daemon.errors)")
        let lines = daemon.errors.matches(of: line)
        #expect(lines.count == 1 && lines.first?.1 == "\(getuid())" && lines.first?.2 == "door", "\(daemon.errors)")
    }

    @Test func aSnapshotFileIsCompleteWhenTheAnswerNamesIt() async throws {
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
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["door.jpg", "door.json"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        let unknown = bench.command("snapshot", "porch")
        #expect(unknown.status == 1)
        #expect(unknown.errors == "glimpsed: pipeline porch: unknown pipeline; the pipelines are: door\n")
        #expect(bench.command("pause", "door").status == 0)
        #expect(bench.command("snapshot", "door").errors == "glimpsed: pipeline door: no worker is running\n")
    }

    /// Subscribers receive the line before the requester receives the answer.
    @Test func aSnapshotByCommandHasAnEventLine() async throws {
        try await start()
        let client = try await bench.subscribe()
        client.send(#"{"subscribe":{"types":["snapshot"]},"ping":"set"}"#)
        _ = try client.lines { $0.type == "ping" }
        let path = bench.scope.path("state/snapshots/door.jpg")
        #expect(bench.command("snapshot", "door").lines == [path])
        let line = try #require(try client.lines { $0.type == "snapshot" }.last)
        #expect(try EventSchema.violations(in: [Array(line.text.utf8)]) == [])
        #expect(violation(in: [Array(line.text.utf8)], isFiltered: true) == nil)
        #expect(line.text.contains(#""rule":"command","file":"\#(path)","width":"#), "\(line.text)")
        let metadata = try TestFile.read(bench.scope.path("state/snapshots/door.json"))
        let said = try #require(JSONSerialization.jsonObject(with: Data(metadata)) as? [String: Any])
        #expect(said["pipeline"] as? String == "door" && said["rule"] as? String == "command")
        // With a caption another picture of the same scene.
        let plain = try TestFile.read(path)
        #expect(bench.command("snapshot", "door", "--caption").status == 0)
        #expect(try TestFile.read(path) != plain)
        _ = try client.lines { $0.type == "snapshot" }
        #expect(bench.command("snapshot", "door").status == 0)
        #expect(try TestFile.read(path) == plain)
        let bytes = plain.count
        #expect(line.text.contains(#""bytes":\#(bytes)}"#) && line.frame != nil && line.kind == nil)
    }

    /// With `save = "accepted"`, accepted pictures stay and others are removed. Pictures of a removed pipeline follow
    /// the limits of age and number too.
    @Test func snapshotsAreAcceptedOrRemoved() async throws {
        real.write(
            "door", barcode: "[snapshot]\non = [\"detected\"]\nsave = \"accepted\"\naccept_within = \"1s\"\n")
        bench.configure()
        // A picture of a pipeline that was removed long ago.
        let old = bench.scope.write("state/snapshots/porch/a.jpg", "picture")
        let recent = bench.scope.write("state/snapshots/porch/b.jpg", "picture")
        #expect(Program.run("touch", ["-d", "2020-01-01", old]).status == 0)
        let daemon = bench.run(worker: Program.built("glimpsed-worker"))
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var files: [String] = []
        while files.count < 2 {
            let line = try #require(try client.lines { $0.type == "snapshot" }.last)
            files.append(String(line.text.split(separator: #""file":""#).last?.prefix { $0 != "\"" } ?? ""))
        }
        #expect(await holds { !FileManager.default.fileExists(atPath: old) }, "\(daemon.errors)")
        #expect(FileManager.default.fileExists(atPath: recent))
        let accepted = bench.command("accept", files[0])
        #expect(accepted.status == 0 && accepted.errors == "\(files[0]): kept\n", "\(accepted)")
        #expect(bench.command("accept", bench.scope.path("config.toml")).status == 1)
        // The next picture triggers the removal of another worker's pictures.
        #expect(
            try await holds {
                _ = bench.command("restart", "door")
                _ = try client.lines { $0.type == "snapshot" }
                return !FileManager.default.fileExists(atPath: files[1])
            })
        #expect(FileManager.default.fileExists(atPath: files[0]))
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0)
    }

    @Test func noSnapshotIsMadeWhenPicturesAreForbidden() async throws {
        try await start(daemon: "no_images = true")
        let refused = bench.command("snapshot", "door")
        #expect(refused.status == 1)
        #expect(refused.errors == "glimpsed: pictures are disabled: daemon.no_images is true\n")
        #expect(!FileManager.default.fileExists(atPath: bench.scope.path("state/snapshots")))
    }
}
