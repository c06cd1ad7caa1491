// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// `scripts/prose.py` holds comments and documents to docs/style.md.
@Suite struct ProseTests {
    @Test func theExamplesInTheChecksOfProseHold() throws {
        let result = Program.run("python3", ["\(Checkout.root)/scripts/prose.py", "--test"])
        #expect(result.status == 0, "\(result)")
    }

    @Test func eachFaultOfProseIsNamedWithItsLine() throws {
        let tree = TestScope()
        tree.write("scripts/prose.py", bytes: try TestFile.read("\(Checkout.root)/scripts/prose.py"))
        let checks = "\(Checkout.root)/scripts/prose_checks"
        #expect(Program.run("cp", ["-r", checks, tree.path("scripts")]).status == 0)
        tree.write("_typos.toml", "")
        tree.write(
            "docs/page.md",
            """
            # Who comes back

            What is whole is kept. See [the table](#no-table), [the plan](plan.md) and [this](#who-comes-back).
            \(String(repeating: "wide ", count: 25))

            The subscriber rec\("ie")ves the frame.
            """)
        tree.write("Sources/Frame.swift", "let frame = 1  // Of all frames, the first.\n")
        #expect(Program.run("git", ["-C", tree.folder, "init", "--quiet"]).status == 0)
        let result = Program.run("python3", [tree.path("scripts/prose.py"), tree.path("docs"), tree.path("Sources")])
        #expect(result.status == 1)
        for fault in [
            "docs/page.md:3: the sentence opens with \"What\"",
            "docs/page.md:3: the link leads nowhere: plan.md",
            "docs/page.md:3: the page has no such heading: #no-table",
            "docs/page.md:4: the line is 124 columns wide",
            "docs/page.md:6: rec\("ie")ves ==> receives",
            "Sources/Frame.swift:1: the sentence opens with \"Of\"",
        ] {
            #expect(result.lines.contains { $0.hasPrefix(fault) }, "\(fault)\n\(result)")
        }
        #expect(!result.lines.contains { $0.contains("#who-comes-back") })
    }
}
