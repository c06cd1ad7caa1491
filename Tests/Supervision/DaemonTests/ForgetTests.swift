// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import GlimpseTesting
import Testing

/// `glimpsed forget` on real daemons, and on the folders of stopped ones.
@Suite struct ForgetTests {
    private let bench = DaemonBench()
    private static let payload = "4006381333931"
    /// The number of files of `addFiles`.
    private static let files = 28

    /// Starts a daemon with two pipelines that have live and completed tracks in the journal.
    private func begin(retention: String = "events = [\"7d\", \"4MiB\"]") async throws -> RunningProgram {
        bench.configure(daemon: "stop_limit = \"2s\"", events: "journal_sync = \"10ms\"", retention: retention)
        bench.write("door", "kind barcode; connect; tracks 2; updates 20 5")
        bench.write("porch", "kind barcode; connect; tracks 2; updates 20 5")
        let daemon = bench.run()
        let subscriber = try await bench.subscribe()
        subscriber.send(#"{"after":0}"#)
        var finished = Set<String>()
        _ = try subscriber.lines { line in
            if line.type == "update", line.track?.id == "2" { finished.insert(line.pipeline ?? "") }
            return finished.count == 2
        }
        return daemon
    }

    /// Adds the files that other parts of the program leave in the state folder.
    private func addFiles() {
        for folder in [
            "", "snapshots", "snapshots/door", "snapshots/porch", "crashes", "clips", "clips/door", "clips/porch",
        ] {
            mkdir(bench.scope.path("state/\(folder)"), 0o755)
        }
        for pipeline in ["door", "porch"] {
            for file in ["mp4", "jsonl", "part"] {
                bench.scope.write("state/clips/\(pipeline)/20261120T080000.000000001Z-1.\(file)", "secret")
            }
            // The incomplete pictures of killed workers.
            bench.scope.write(
                "state/snapshots/\(pipeline)/.20261120T080000.000000001Z-face-7-best.jpg.part", "secret")
            bench.scope.write("state/snapshots/.\(pipeline).jpg.part", "secret")
            bench.scope.write("state/crashes/.\(pipeline).y4m", "secret")
            for file in ["jpg", "json", "saved"] {
                bench.scope.write(
                    "state/snapshots/\(pipeline)/20261120T080000.000000001Z-face-7-best.\(file)", "secret")
            }
            bench.scope.write("state/snapshots/\(pipeline)/20261120T080000.000000001Z-face-71-best.jpg", "secret")
            bench.scope.write("state/snapshots/\(pipeline).jpg", "secret")
            bench.scope.write("state/crashes/\(pipeline)-1790000000.y4m", "secret")
        }
        bench.scope.write("state/door.tape", "glimpse tape 4\nsecret")
        bench.scope.write("state/journal.damaged.sqlite", "secret")
        bench.scope.write("state/journal.damaged.sqlite-wal", "secret")
        bench.scope.write("state/journal.version9.sqlite", "secret")
    }

    /// The files below the state folder that contain a text in their bytes or names.
    private func found(_ text: String) -> [String] {
        let state = bench.scope.path("state")
        let files = FileManager.default.enumerator(atPath: state)?.compactMap { $0 as? String } ?? []
        return files.filter { file in
            let bytes = FileManager.default.contents(atPath: "\(state)/\(file)") ?? Data()
            return file.contains(text) || bytes.firstRange(of: Data(text.utf8)) != nil
        }.sorted()
    }

    private func forget(_ arguments: String...) -> ProgramResult {
        Program.run(
            Program.built("glimpsed"), ["forget", "--config", bench.scope.path("config.toml"), "--json"] + arguments)
    }

    /// Both pipelines are at rest, so that no worker records data anew.
    private func pause() {
        for pipeline in ["door", "porch"] {
            let result = bench.command("pause", pipeline)
            #expect(result.status == 0, "\(result)")
        }
    }

    @Test(arguments: [true, false]) func forgettingAllLeavesNothingInTheStateFolder(isRunning: Bool) async throws {
        let daemon = try await begin()
        pause()
        addFiles()
        #expect(await holds { bench.command("history").lines.count == 5 })
        if !isRunning {
            daemon.send(SIGTERM)
            #expect(daemon.finish().status == 0, "\(daemon.errors)")
        }
        #expect(!found(Self.payload).isEmpty && found("secret").count == Self.files)
        let result = forget("--all")
        #expect(result.status == 0, "\(result)")
        let counts = #""pictures":6,"clips":2,"crash_frames":4,"tapes":1,"databases":2,"kept":0}"#
        #expect(result.lines.first?.hasSuffix(counts) == true && !result.text.contains(#""events":0,"#), "\(result)")
        for text in [Self.payload, "secret", "\"id\":\"1\"", "face-7", "detected"] {
            #expect(found(text).isEmpty, "\(text)")
        }
        #expect(bench.command("history").status == 2)
        // A repeated call finds nothing more.
        let again = forget("--all")
        #expect(again.status == 0 && again.text.hasPrefix(#"{"events":0,"history":0,"pictures":0"#), "\(again)")
    }

    @Test func aReaderThatResumesAcrossAForgetGetsAGapWithReasonForgotten() async throws {
        let daemon = try await begin()
        pause()
        #expect(forget("--all").status == 0)
        func resumed() async throws -> (gap: StreamLine, next: UInt64) {
            let subscriber = try await bench.subscribe()
            let hello = try #require(subscriber.lines { $0.type == "hello" }.last)
            subscriber.send(#"{"after":1,"run_id":"\#(hello.run_id ?? "")"}"#)
            let gap = try #require(subscriber.lines { $0.type == "gap" || $0.type == "error" }.last)
            return (gap, hello.next_seq ?? 0)
        }
        let (gap, next) = try await resumed()
        #expect(gap.reason == "forgotten" && gap.from == 2 && gap.to == next - 1, "\(gap)")
        // The numbers go on over a restart, and so does the reason.
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
        for pipeline in ["door", "porch"] { bench.remove(pipeline) }
        bench.run()
        let after = try await resumed()
        #expect(after.gap.reason == "forgotten" && after.gap.from == 2 && after.next >= next, "\(after)")
    }

    @Test func forgettingEmptiesTheJournalInMemoryAndTheState() async throws {
        _ = try await begin(retention: "")
        let result = forget("--all")
        #expect(result.status == 0 && !result.text.contains(#""events":0,"#), "\(result)")
        let subscriber = try await bench.subscribe()
        subscriber.send(#"{"after":1}"#)
        let gap = try #require(subscriber.lines { $0.type == "gap" || $0.type == "error" }.last)
        #expect(gap.reason == "forgotten" && gap.from == 2, "\(gap)")
        // A worker that still sends updates makes its tracks live again.
        var state: StreamLine?
        let isEmptied = try await holds {
            #expect(forget("--all").status == 0)
            subscriber.send(#"{"state":true}"#)
            state = try subscriber.lines { $0.type == "state" }.last
            return state?.tracks?.isEmpty == true
        }
        #expect(isEmptied, "\(String(describing: state))")
    }

    @Test(arguments: [true, false]) func forgettingAPipelineKeepsTheOtherOne(isRunning: Bool) async throws {
        let daemon = try await begin()
        pause()
        addFiles()
        if !isRunning {
            daemon.send(SIGTERM)
            #expect(daemon.finish().status == 0, "\(daemon.errors)")
        }
        let result = forget("--pipeline", "door")
        #expect(
            result.status == 0 && result.text.contains(#""pictures":3,"clips":1,"crash_frames":2,"tapes":0"#),
            "\(result)")
        #expect(result.text.contains(#""history":2,"#) && result.text.contains(#""kept":4}"#), "\(result)")
        let rows = bench.command("history").lines
        #expect(rows.count == 3 && rows.dropFirst().allSatisfy { $0.contains("porch") }, "\(rows)")
        #expect(found("\"pipeline\":\"door\"").isEmpty && !found("\"pipeline\":\"porch\"").isEmpty)
        #expect(found("porch-1790000000.y4m").count == 1 && found("face-7-best").count == 4)
    }

    @Test func forgettingATrackKeepsTheOtherTracks() async throws {
        _ = try await begin()
        pause()
        addFiles()
        let result = forget("--detector", "face", "--track", "7")
        #expect(result.status == 0 && result.text.contains(#""pictures":2,"clips":0,"crash_frames":0"#), "\(result)")
        #expect(found("face-7-best").isEmpty && found("face-71-best").count == 2)
        let detector = try #require(
            bench.command("history", "--json").lines.first?.firstMatch(
                of: /"detector":"([^"]+)"/)?.output.1)
        #expect(forget("--detector", String(detector), "--track", "1").text.contains(#""history":2,"#))
        let rows = bench.command("history", "--json").lines
        #expect(rows.count == 2 && rows.allSatisfy { $0.contains(#""id":"2""#) }, "\(rows)")
    }

    @Test func forgettingByTimeKeepsNewerData() async throws {
        _ = try await begin()
        pause()
        addFiles()
        let nothing = forget("--before", "1h")
        #expect(nothing.status == 0 && nothing.text.contains(#""history":0,"pictures":0,"clips":0,"crash_frames":0"#))
        #expect(bench.command("history").lines.count == 5 && found("secret").count == Self.files)
        let all = forget("--before", "2100-01-01")
        #expect(all.status == 0 && found("secret").isEmpty && found(Self.payload).isEmpty, "\(all)")
    }

    @Test func aForgetKilledInTheMiddleCanBeRepeated() async throws {
        let daemon = try await begin()
        pause()
        addFiles()
        daemon.send(SIGKILL)
        _ = daemon.finish()
        for delay in [1, 5, 10, 20, 40] {
            let killed = RunningProgram(
                Program.built("glimpsed"), ["forget", "--all", "--config", bench.scope.path("config.toml")])
            usleep(UInt32(delay) * 1000)
            killed.send(SIGKILL)
            _ = killed.finish()
        }
        #expect(forget("--all").status == 0)
        #expect(found("secret").isEmpty && found(Self.payload).isEmpty)
    }

    @Test func aForgetWithoutASelectionIsRefused() async throws {
        bench.configure()
        #expect(forget().status == 64 && forget("--all", "--pipeline", "door").status == 64)
        #expect(forget("--track", "1").status == 64 && forget("--before", "soon").status == 64)
        bench.run()
        let peer = try await bench.control()
        for request in [
            #"{"forget":true}"#, #"{"forget":{"all":true,"pipeline":"door"}}"#, #"{"forget":{"track":"1"}}"#,
        ] {
            #expect(try peer.ask(request).contains(#""ok":false"#), "\(request)")
        }
    }
}

extension ProgramResult {
    fileprivate var text: String { String(decoding: output, as: UTF8.self) }
}
