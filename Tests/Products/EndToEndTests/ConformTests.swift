// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// `glimpsed conform` checks the output of `glimpsed`.
@Suite struct ConformTests {
    private func conform(_ arguments: String..., input: String = "") -> ProgramResult {
        Program.run(Program.built("glimpsed"), ["conform"] + arguments, input: input)
    }

    @Test func theDemoConformsAndTheDemoWithoutALineDoesNot() throws {
        let demo = Program.run(Program.built("glimpsed"), ["demo", "--source", "test:scene", "--json"])
        try #require(demo.status == 0, "\(demo)")
        let text = String(decoding: demo.output, as: UTF8.self)
        let whole = conform(input: text)
        #expect(whole.status == 0 && whole.output.isEmpty, "\(whole)")
        #expect(whole.errors.hasPrefix("conforms: \(demo.lines.count) lines, "), "\(whole.errors)")
        #expect(whole.errors.hasSuffix(" tracks, 2 detectors, 0 runs\n"), "\(whole.errors)")

        let scope = TestScope()
        let index = try #require(demo.lines.firstIndex { $0.contains(#""type":"detected""#) })
        var lines = demo.lines
        lines.remove(at: index)
        scope.write("torn.jsonl", lines.map { $0 + "\n" }.joined())
        let torn = conform(scope.path("torn.jsonl"))
        #expect(torn.status == 1 && torn.errors.isEmpty, "\(torn)")
        #expect(torn.lines.first?.hasPrefix("line \(index + 1): track ") == true, "\(torn)")
        #expect(torn.lines.first?.hasSuffix(": update, but it was never detected") == true, "\(torn)")
        #expect(torn.lines.count == 2 && torn.lines[1].hasPrefix(#"  {"v":1,"type":"update""#), "\(torn)")

        let cut = text.prefix(text.count / 2)
        #expect(conform(input: String(cut)).status == 1)
        #expect(conform("--open", "-", input: String(cut)).status == 0)
    }

    @Test(.enabled(if: SharedData.has("media/video/asl_help.mkv"), "no shared data beside the checkout"))
    func aClipConforms() throws {
        let scope = TestScope()
        scope.write("p.toml", "[source]\nkind = \"test\"\n[face]\n[barcode]\n")
        let film = SharedData.path("media/video/asl_help.mkv")
        let result = Program.run(
            Program.built("glimpsed"), ["pipeline", scope.path("p.toml"), "--source", film, "--set", "source.every=5"])
        try #require(result.status == 0, "\(result)")
        let verdict = conform(input: String(decoding: result.output, as: UTF8.self))
        #expect(verdict.status == 0, "\(verdict)")
    }

    @Test func aMissingStreamForConformIsAnError() {
        let missing = conform("/nowhere/events.jsonl")
        #expect(missing.status == 66)
        #expect(missing.errors == "glimpsed: /nowhere/events.jsonl: No such file or directory\n")
        #expect(conform("/").status == 66)
        // A pipe whose writer failed proves nothing.
        let empty = conform()
        #expect(empty.status == 2 && empty.errors == "glimpsed: the stream has no lines\n", "\(empty)")
    }
}
