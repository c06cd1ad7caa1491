// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import GlimpseTesting
import Testing

/// Pictures of a pipeline with `blur`, under the built daemon, while the detector that `blur` needs fails.
@Suite struct CoveredPictureTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    /// A program that finds one thing as large as the picture, so that a covered picture shows no code.
    private static let program = """
        import glimpse_detector
        def detect(frame):
            return [glimpse_detector.Detection((0, 0, frame.width, frame.height), 0.9)]
        glimpse_detector.run(detect, name="things")
        """

    private func write(_ command: String, timeout: String = "10s") {
        real.write(
            "door",
            barcode: """
                [external.things]
                kind = "thing"
                command = [\(command)]
                timeout = "\(timeout)"
                [privacy]
                blur = ["thing"]
                style = "fill"
                [snapshot]
                on = ["detected", "best", "completed"]
                region = "full"
                """,
            // The gate finds a still picture equal to one that the program looked at.
            source: "gate.enabled = false")
    }

    /// The pictures that show a code.
    private func open() -> [String] {
        let folder = bench.scope.path("state/snapshots")
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return files.filter { file in
            guard file.hasSuffix(".jpg") else { return false }
            let result = Program.run(
                Program.built("glimpsed-worker"), ["detect", "--barcode", "\(folder)/\(file)"])
            return result.lines.contains { $0.contains("to the") }
        }
    }

    private func snapshotWorks() -> Bool { bench.command("snapshot", "door").status == 0 }

    /// The process of the program.
    private func program(of daemon: RunningProgram) -> pid_t? {
        ProcessFootprint.workers(of: daemon.process).first.flatMap { worker in
            ProcessFootprint.children(of: worker).first.flatMap { ProcessFootprint.children(of: $0).first }
        }
    }

    @Test func noUncoveredPictureLeavesAroundAKillAHangAReloadAndAnAbsence() async throws {
        bench.scope.write("pipelines/things.py", Self.program)
        write("\"python3\", \"./things.py\"", timeout: "2s")
        let daemon = real.run()
        #expect(await holds { snapshotWorks() }, "\(daemon.errors)")
        #expect(open().isEmpty)
        for signal in [SIGKILL, SIGSTOP] {
            // A program that ended or hung is started again, and pictures leave again.
            #expect(await holds { program(of: daemon) != nil })
            let process = try #require(program(of: daemon))
            kill(process, signal)
            for _ in 0..<3 { _ = snapshotWorks() }
            #expect(open().isEmpty, "\(signal)")
            #expect(await holds { snapshotWorks() }, "\(daemon.errors)")
            #expect(open().isEmpty, "\(signal)")
        }
        write("\"python3\", \"./things.py\"", timeout: "3s")
        #expect(bench.command("reload").status == 0)
        for _ in 0..<3 { _ = snapshotWorks() }
        #expect(await holds { snapshotWorks() }, "\(daemon.errors)")
        #expect(open().isEmpty)

        unlink(bench.scope.path("state/snapshots/door.jpg"))
        write("\"./absent\"")
        #expect(bench.command("restart", "door").status == 0)
        #expect(bench.command("reload").status == 0)
        #expect(await holds { bench.command("status", "--json").lines.joined().contains(#""pictures_withheld""#) })
        #expect(bench.command("status").errors.contains("no picture leaves the worker: "))
        let refused = bench.command("snapshot", "door")
        #expect(refused.status == 1 && refused.errors.contains("things"), "\(refused)")
        #expect(access(bench.scope.path("state/snapshots/door.jpg"), F_OK) != 0 && open().isEmpty)
        // A pipeline without blur shows its codes, so the search for codes finds uncovered pictures.
        real.write("free")
        #expect(bench.command("reload").status == 0)
        #expect(await holds { bench.command("snapshot", "free").status == 0 })
        #expect(open() == ["free.jpg"])
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0)
    }
}
