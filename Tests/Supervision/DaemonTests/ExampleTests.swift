// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import GlimpseTesting
import Testing

/// The programs of `examples/`, with a real daemon.
@Suite struct ExampleTests {
    enum Example: String, CaseIterable, CustomTestStringConvertible {
        case python = "python/door_log.py"
        case shell = "shell/codes.sh"
        case c = "c/code_count.c"
        case node = "node/occupancy.mjs"

        var testDescription: String { rawValue }

        /// The kind of track that the program handles.
        var kind: String {
            switch self {
            case .python, .node: "face"
            case .shell, .c: "barcode"
            }
        }

        /// The program's output when two tracks have gone and two others have come.
        var expectedOutput: [String] {
            switch self {
            case .python: ["door: face 1 left after", "door: face 3 came"]
            case .shell: ["\tdoor\tean_13\t4006381333931"]
            case .c: ["2 \"4006381333931\""]
            case .node: ["door: 2 in view"]
            }
        }

        /// The program's output after a restart of the daemon and the same events again.
        var sequel: [String] {
            switch self {
            case .python: ["door: face 1 came", "door: face 1 left after", "door: face 3 came"]
            case .shell, .node: expectedOutput
            // The output includes the tracks that ended with the daemon.
            case .c: ["6 \"4006381333931\""]
            }
        }
    }

    private let bench = DaemonBench()

    private func start(_ example: Example, _ arguments: String...) -> RunningProgram {
        let file = "\(Checkout.root)/examples/\(example.rawValue)"
        let all = [bench.scope.path("e.sock")] + arguments
        guard example == .c else { return RunningProgram(file, all, environment: Checkout.pythonClient) }
        let compiled = bench.scope.path("code_count")
        let result = Program.run("cc", ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-o", compiled, file])
        #expect(result.status == 0, "\(result)")
        return RunningProgram(compiled, all)
    }

    private func text(_ program: RunningProgram) -> String { String(decoding: program.output, as: UTF8.self) }

    private func daemon(_ example: Example) async throws {
        // The scripted worker reads no requests while it sends updates. It is killed after half of the limit.
        bench.configure(daemon: "stop_limit = \"200ms\"")
        bench.write("door", "kind \(example.kind); connect; tracks 2; updates 100000 20")
        bench.run()
        try await reached("2")
    }

    /// Waits for a track.
    private func reached(_ track: String) async throws {
        _ = try await bench.subscribe().lines { $0.type == "update" && $0.track?.id == track }
    }

    private func says(_ program: RunningProgram, _ lines: [String], after start: Int = 0) async {
        let text = { String(decoding: program.output.dropFirst(start), as: UTF8.self) }
        for line in lines {
            #expect(
                await holds { text().contains(line) }, "\(line) in \(text()) \(program.errors)")
        }
    }

    /// The daemon ends and another one starts. The program continues.
    @Test(arguments: Example.allCases) func anExampleContinuesWithAnotherDaemon(example: Example) async throws {
        try await daemon(example)
        let program = start(example)
        #expect(await holds { program.errors.contains("connected to") })
        #expect(bench.command("restart", "door").status == 0)
        await says(program, example.expectedOutput)
        try await reached("4")
        bench.daemon?.send(SIGTERM)
        #expect(bench.daemon?.finish().status == 0)
        let before = program.output.count
        bench.run()
        #expect(
            await holds { program.errors.components(separatedBy: "connected to").count == 3 },
            "\(program.errors)")
        try await reached("2")
        #expect(bench.command("restart", "door").status == 0)
        await says(program, example.sequel, after: before)
    }

    /// The program reports events that happened during its absence when it comes back.
    @Test(arguments: [Example.python, .shell]) func anExampleResumesAtItsLastEvent(example: Example) async throws {
        try await daemon(example)
        let position = bench.scope.path("position")
        let first = start(example, position)
        #expect(await holds { first.errors.contains("connected to") })
        #expect(bench.command("restart", "door").status == 0)
        await says(first, example.expectedOutput)
        #expect(await holds { access(position, F_OK) == 0 })
        _ = first.finish(within: .zero)
        // Two tracks end, two new ones begin.
        #expect(bench.command("restart", "door").status == 0)
        try await reached("6")
        let second = start(example, position)
        await says(second, example == .python ? ["face 4 left after", "face 6 came"] : example.expectedOutput)
        #expect(!text(second).contains("face 1 left") && !second.errors.contains("lost"), "\(text(second))")
    }
}
