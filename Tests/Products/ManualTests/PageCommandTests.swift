// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// `scripts/page_commands.py` runs the commands of the documents, and checks their event lines.
@Suite struct PageCommandTests {
    private let script = "\(Checkout.root)/scripts/page_commands.py"

    @Test(arguments: ["--runner page", "--runner ci"])
    func eachCommandOfAPageRunsAndEachEventLineIsValid(runner: String) {
        let options = runner.split(separator: " ").map(String.init)
        let result = Program.run("python3", [script, "--bin", binaries] + options, within: .seconds(900))
        #expect(result.status == 0, "\(result)")
    }

    @Test func theScriptKeepsItsExamples() {
        let result = Program.run("python3", ["-m", "doctest", script])
        #expect(result.status == 0, "\(result)")
    }

    /// The first run of both commands is on a bare machine, like that of CI. `make demo-web` runs until Ctrl-C, so the
    /// page's own run has to do.
    @Test func ciRunsTheMakeCommandsOfTheReadmeLiterally() throws {
        let lines = try ["README.md", ".ci/run"].map { name in
            String(decoding: try TestFile.read("\(Checkout.root)/\(name)"), as: UTF8.self).split(separator: "\n")
        }
        // A remark follows after several spaces.
        let commands = lines[0].filter { $0.hasPrefix("make ") }.map { $0.split(separator: "  ")[0] }
        #expect(commands == ["make demo", "make demo-web", "make test"])
        for command in commands where command != "make demo-web" {
            #expect(lines[1].contains("timed \(command)"), "\(command)")
        }
    }

    @Test func aFailingBlockOfAPageIsNamedWithItsLine() {
        let result = run(page: "# Page\n\n```sh\nprintf 1 >file\n```\n\n```sh\ntest \"$(cat file)\" = 2\n```\n")
        #expect(result.status == 1)
        #expect(result.lines.contains { $0.hasSuffix("page.md:7: the block failed (1)") }, "\(result)")
    }

    @Test func anInvalidEventLineOfAPageIsAComplaint() {
        let result = run(page: "```json\n{\"v\":1,\"type\":\"detected\"}\n```\n")
        #expect(result.status == 1)
        #expect(result.lines.contains { $0.hasSuffix("page.md: event lines") }, "\(result)")
    }

    @Test func commandsOfAPageThatAFenceHidesAreAComplaint() {
        let result = run(page: "```\nglimpsed status\n```\n\n```sh run=rest\nfalse\n```\n")
        #expect(result.status == 1)
        #expect(result.lines.contains { $0.contains("page.md:1: commands need a fence") }, "\(result)")
        #expect(result.lines.contains { $0.contains("page.md:5: unknown runner \"rest\"") }, "\(result)")
    }

    @Test func aConsoleBlockThatShowsAnotherOutputIsAComplaint() {
        let result = run(page: "```console\n$ printf '1\\n2\\n'\n2\n$ echo 3\n4\n```\n")
        #expect(result.status == 1)
        #expect(result.lines.contains { $0.hasSuffix("page.md:1: the block failed (1)") }, "\(result)")
        #expect(run(page: "```console\n$ printf '1\\n2\\n'\n2\n```\n").status == 0)
    }

    @Test func aFenceThatNoRunnerTakesIsAComplaint() {
        let result = run(page: "```sh needs=root\nfalse\n```\n\n```sh root\nfalse\n```\n")
        #expect(result.status == 1)
        for line in [1, 5] {
            #expect(result.lines.contains { $0.hasSuffix("page.md:\(line): unknown fence") }, "\(result)")
        }
    }

    private func run(page: String) -> ProgramResult {
        let scope = TestScope()
        scope.write("page.md", page)
        return Program.run("python3", [script, "--bin", binaries, scope.path("page.md")])
    }

    /// The folder of the built programs.
    private var binaries: String { String(Program.built("glimpsed").dropLast("/glimpsed".count)) }
}
