// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// A subscriber has another working directory than the daemon: all paths in events are absolute, however the
/// configuration was named.
@Suite struct EventPathTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }
    private var folder: String { bench.scope.folder }

    /// Runs the built program in the bench's folder.
    private func run(_ arguments: String, environment: [String: String] = [:]) -> RunningProgram {
        let text = "cd \(folder) && exec \(Program.built("glimpsed")) \(arguments)"
        return RunningProgram("sh", ["-c", text], environment: environment)
    }

    /// The values of all members that name files, at any depth.
    private func paths(_ value: Any) -> [String] {
        if let list = value as? [Any] { return list.flatMap(paths) }
        guard let members = value as? [String: Any] else { return [] }
        return members.flatMap { key, value in
            if let text = value as? String { return ["file", "snapshot", "picture"].contains(key) ? [text] : [] }
            return paths(value)
        }
    }

    private func paths(_ lines: [String]) throws -> [String] {
        try lines.flatMap { paths(try JSONSerialization.jsonObject(with: Data($0.utf8))) }
    }

    @Test func eventPathsOfADaemonWithARelativeConfiguration() async throws {
        real.write("door", barcode: "[snapshot]\non = [\"detected\", \"best\"]")
        bench.scope.write("pipelines/film.toml", "[source]\nkind = \"file\"\npath = \"nowhere.mp4\"\n[barcode]\n")
        bench.configure(workers: "crash_dump = true")
        let daemon = run(
            "run --config ./config.toml",
            environment: [
                "GLIMPSED_WORKER": Program.built("glimpsed-worker"), "GLIMPSED_FAULT": "abort:barcode:20",
            ])
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var lines = try client.lines(within: .seconds(60)) { $0.type == "update" && $0.frame?.epoch == 2 }
        if !lines.contains(where: { $0.pipeline == "film" && $0.error != nil }) {
            lines += try client.lines(within: .seconds(60)) { $0.pipeline == "film" && $0.error != nil }
        }
        if !lines.contains(where: { $0.type == "snapshot" }) {
            lines += try client.lines(within: .seconds(60)) { $0.type == "snapshot" }
        }
        let named = try paths(lines.map(\.text))
        #expect(!named.isEmpty && named.allSatisfy { $0.hasPrefix("\(folder)/state/snapshots/door/") }, "\(named)")
        let errors = lines.compactMap(\.error)
        #expect(errors.contains { $0.contains(" \(folder)/state/crashes/door-") }, "\(errors)")
        #expect(errors.contains { $0.hasPrefix("\(folder)/pipelines/nowhere.mp4: ") }, "\(errors)")
        let control = try await bench.control()
        let taken = try paths([try control.ask(#"{"snapshot":{"pipeline":"door"}}"#, within: .seconds(60))])
        #expect(taken == ["\(folder)/state/snapshots/door.jpg"])
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    @Test func eventPathsOfAForegroundRunOfARelativeFile() throws {
        bench.scope.write(
            "pipelines/door.toml",
            "[source]\nkind = \"test\"\nframes = 40\n[barcode]\n[snapshot]\non = [\"detected\", \"best\"]\n")
        let result = run("pipeline pipelines/door.toml --pictures ./pictures").finish()
        #expect(result.status == 0, "\(result.errors)")
        let named = try paths(result.lines)
        #expect(!named.isEmpty && named.allSatisfy { $0.hasPrefix("\(folder)/pictures/") }, "\(named)")
        #expect(result.lines.contains { $0.contains("\"type\":\"completed\"") && $0.contains("\(folder)/pictures/") })

        let missing = run("pipeline pipelines/door.toml --source nowhere.mp4").finish()
        #expect(missing.status == 66)
        let errors = missing.lines.filter { $0.contains("\"error\"") }
        #expect(!errors.isEmpty && errors.allSatisfy { $0.contains("\"\(folder)/nowhere.mp4: ") }, "\(missing)")
    }
}
