// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import GlimpseTesting
import Testing

/// `glimpsed watch` on a terminal and in a pipe.
@Suite struct WatchTests {
    private let bench = DaemonBench()
    private let glimpsed = Program.built("glimpsed")

    private func start(_ script: String) async throws {
        bench.configure()
        bench.write("door", script)
        bench.run()
        _ = try await bench.subscribe()
    }

    /// In a terminal made by script(1).
    private func terminal(
        _ arguments: String, rows: Int = 24, columns: Int = 100, type: String = "xterm"
    ) -> RunningProgram {
        RunningProgram(
            "script",
            [
                "-qfec",
                "stty rows \(rows) cols \(columns); "
                    + "\(glimpsed) watch --socket \(bench.scope.path("e.sock")) \(arguments)",
                "/dev/null",
            ], environment: ["TERM": type])
    }

    private func text(_ program: RunningProgram) -> String { String(decoding: program.output, as: UTF8.self) }

    @Test func theTableOfWatchContinuesOverARestart() async throws {
        try await start("connect; tracks 2; updates 100000 20")
        let watch = terminal("")
        #expect(await holds { text(watch).contains("door      face  2") && text(watch).contains("in view") })
        let row = try #require(text(watch).split(separator: "\r\n").last { $0.hasPrefix("\u{1B}[2Kdoor      face  1") })
        #expect(row.contains(" s  ") && row.contains("80x90 at "), "\(row)")
        bench.daemon?.send(SIGKILL)
        #expect(await holds { text(watch).contains("reconnecting") })
        bench.run()
        #expect(
            await holds {
                guard let lost = text(watch).range(of: "reconnecting") else { return false }
                let since = text(watch)[lost.upperBound...]
                return since.contains("connected to") && since.contains("door      face  1")
            })
        _ = watch.finish(within: .zero)
    }

    /// More tracks than rows, at several terminal sizes. No line is wider and no table is higher than the terminal, and
    /// every column that fits is shown.
    @Test(arguments: [(5, 10), (10, 40), (24, 80)]) func theTableOfWatchFitsTheTerminal(rows: Int, columns: Int)
        async throws
    {
        try await start("kind barcode; connect; tracks 40; updates 100000 50")
        let watch = terminal("", rows: rows, columns: columns)
        func pictures() -> [[String]] {
            let drawn = String(text(watch).unicodeScalars.filter { $0 != "\r" }).replacing("\u{1B}[2K", with: "")
            return drawn.components(separatedBy: "\u{1B}[H").dropFirst()
                .map { $0.components(separatedBy: "\n\u{1B}[J")[0].components(separatedBy: "\n") }
        }
        func count(in lines: [String]) -> Int { lines.filter { $0.hasPrefix("door ") }.count }
        // They come into view one after the other.
        func showsAll(_ lines: [String]) -> Bool {
            lines.contains { $0.hasPrefix("and \(40 - count(in: lines)) mo") }
        }
        #expect(await holds { pictures().contains(where: showsAll) }, "\(pictures().last ?? [])")
        _ = watch.finish(within: .zero)
        let lines = try #require(pictures().first(where: showsAll))
        // The last line may be incomplete.
        for lines in pictures().dropLast() + [lines] {
            #expect(lines.count <= rows && lines.allSatisfy { $0.count <= columns }, "\(lines)")
        }
        let shown = count(in: lines)
        #expect(rows < 10 || shown > 2)
        #expect(columns < 80 || lines[0].hasSuffix("WHERE"), "\(lines[0])")
    }

    /// A terminal that cannot draw receives lines.
    @Test func watchDoesNotDrawOnADumbTerminal() async throws {
        try await start("connect; tracks 1; updates 100000 20")
        let watch = terminal("", type: "dumb")
        #expect(await holds { text(watch).contains(#""type":"update""#) })
        #expect(!text(watch).contains("\u{1B}"))
        _ = watch.finish(within: .zero)
    }

    /// A subscriber that is refused at the start receives the reason once.
    @Test(arguments: [
        (["--after", "1000000"], "after 1000000"), (["--config", "/nowhere/config.toml"], "no such file"),
    ])
    func watchReportsRefusals(arguments: [String], words: String) async throws {
        try await start("connect; tracks 1; updates 100000 20")
        let socket = arguments[0] == "--config" ? [] : ["--socket", bench.scope.path("e.sock")]
        let result = Program.run(glimpsed, ["watch", "--json"] + socket + arguments)
        #expect(result.status == (socket.isEmpty ? 78 : 1) && result.errors.contains(words), "\(result)")
    }

    @Test func watchEndsWhenTheDaemonIsFull() async throws {
        bench.configure(events: "max_subscribers = 1")
        bench.run()
        let other = try await bench.subscribe()
        _ = try other.lines { $0.type == "hello" }
        let result = Program.run(
            glimpsed, ["watch", "--config", bench.scope.path("config.toml")])
        #expect(result.status == 1 && result.errors.contains("max_subscribers"), "\(result)")
        #expect(result.output.isEmpty)
    }

    /// The text of a symbol cannot move the cursor, and the terminal is restored.
    @Test func watchRestoresTheTerminal() async throws {
        try await start("connect; tracks 1; updates 100000 20")
        let watch = terminal("& sleep 1.5; kill -INT $!; wait $!")
        let ended = watch.finish()
        let text = String(decoding: ended.output, as: UTF8.self)
        #expect(text.contains("\u{1B}[?1049h"))
        #expect(text.hasSuffix("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"), "\(text.suffix(80))")
    }

    @Test func watchWritesLinesIntoAPipe() async throws {
        try await start("connect; tracks 1; miss; updates 100000 20")
        let socket = ["--socket", bench.scope.path("e.sock")]
        let all = Program.run(
            "sh", ["-c", "\(glimpsed) watch --json \(socket.joined(separator: " ")) --after 0 | head -n 8"])
        #expect(all.lines.count == 8)
        #expect(all.lines.first?.contains(#""type":"hello""#) == true)
        // The log from its first line on.
        #expect(all.lines.contains { $0.contains(#""seq":1,"#) && $0.contains(#""type":"source""#) })
        let none = Program.run(
            "sh",
            [
                "-c",
                "timeout 2 \(glimpsed) watch \(socket.joined(separator: " ")) --kind barcode --pipeline 'do*' | cat",
            ])
        #expect(none.lines.allSatisfy { !$0.contains(#""type":"update""#) } && !none.lines.isEmpty, "\(none)")
    }

    @Test func watchFailsWithoutADaemonOrWithWrongUsage() {
        #expect(Program.run(glimpsed, ["watch", "--kind", "Cat"]).status == 64)
        #expect(Program.run(glimpsed, ["watch", "--min-confidence", "2"]).status == 64)
        #expect(Program.run(glimpsed, ["watch", "--value", "("]).status == 64)
        let nobody = Program.run(glimpsed, ["watch", "--socket", bench.scope.path("nobody")])
        #expect(nobody.status == 69 && nobody.errors.contains("is not running"), "\(nobody)")
    }
}
