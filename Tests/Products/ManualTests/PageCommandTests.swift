// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// `scripts/page_commands.py` runs the commands of the documents, and checks their event lines.
@Suite struct PageCommandTests {
    private let script = "\(Checkout.root)/scripts/page_commands.py"

    @Test func eachCommandOfAPageRunsAndEachEventLineIsValid() {
        let result = Program.run("python3", [script, "--bin", binaries], within: .seconds(600))
        #expect(result.status == 0, "\(result)")
        #expect(result.lines.contains { $0.contains("needs camera") }, "\(result)")
    }

    @Test func aFailingBlockOfAPageIsNamedWithItsLine() {
        let scope = TestScope()
        scope.write("page.md", "# Page\n\n```sh\nprintf 1 >file\n```\n\n```sh\ntest \"$(cat file)\" = 2\n```\n")
        let result = Program.run("python3", [script, "--bin", binaries, scope.path("page.md")])
        #expect(result.status == 1)
        #expect(result.lines.contains { $0.hasSuffix("page.md:7: the block failed (1)") }, "\(result)")
    }

    @Test func anInvalidEventLineOfAPageIsAComplaint() {
        let scope = TestScope()
        scope.write("page.md", "```json\n{\"v\":1,\"type\":\"detected\"}\n```\n")
        let result = Program.run("python3", [script, "--bin", binaries, scope.path("page.md")])
        #expect(result.status == 1)
        #expect(result.lines.contains { $0.hasSuffix("page.md: event lines") }, "\(result)")
    }

    @Test func commandsOfAPageThatAFenceHidesAreAComplaint() {
        let scope = TestScope()
        scope.write("page.md", "```\nglimpsed status\n```\n\n```sh needs=rest\nfalse\n```\n")
        let result = Program.run("python3", [script, "--bin", binaries, scope.path("page.md")])
        #expect(result.status == 1)
        #expect(result.lines.contains { $0.contains("page.md:1: commands need a fence") }, "\(result)")
        #expect(result.lines.contains { $0.contains("page.md:5: unknown reason \"rest\"") }, "\(result)")
    }

    /// The folder of the built programs.
    private var binaries: String { String(Program.built("glimpsed").dropLast("/glimpsed".count)) }
}
