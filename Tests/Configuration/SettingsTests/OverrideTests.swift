// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Settings

/// `--set key=value` and `--source`.
struct OverrideTests {
    private let text = "[source]\nkind = \"test\"\n[face]\nmin_size = 0.5\n"

    private func parse(_ overrides: (key: String, value: String)...) throws -> PipelineSettings {
        try PipelineSettings.parse(text, file: "p.toml", overrides: overrides)
    }

    @Test func overridesReplaceValuesOfTheFile() throws {
        #expect(try parse(("face.min_size", "0.2"))[FaceSettings.self]?.minSize == 0.2)
        #expect(try parse(("face.min_size", "0.2"), ("face.min_size", "0.3"))[FaceSettings.self]?.minSize == 0.3)
        #expect(try parse(("face.mode", "accurate"))[FaceSettings.self]?.mode == .accurate)
        #expect(try parse(("face.mode", "\"accurate\""))[FaceSettings.self]?.mode == .accurate)
        #expect(try parse(("face.landmarks", "false"))[FaceSettings.self]?.landmarks == false)
        #expect(try parse(("face.tracking.max_gap", "2s"))[FaceSettings.self]?.tracking.maxGap == .seconds(2))
        #expect(try parse(("barcode.formats", "[\"qr_code\"]"))[BarcodeSettings.self]?.formats == [.qrCode])
        #expect(try parse(("tags.built", "2026-01-01")).tags == ["built": "2026-01-01"])
        #expect(try parse(("tags.\"a b\"", "x = y # z")).tags == ["a b": "x = y # z"])
        #expect(try parse(("source.kind", "launch"), ("source.launch", "a ! b")).source.kind == .launch("a ! b"))
    }

    @Test func anOverrideOfAnAbsentDetectorAddsTheDetector() throws {
        #expect(try parse(("object.max_objects", "2"))[ObjectSettings.self]?.maxObjects == 2)
    }

    @Test(arguments: [
        ("face.min_size", "2", "--set face.min_size: min_size must be 0 to 1, not 2"),
        ("face.min_sise", "0.2", "--set face.min_sise: unknown key \"min_sise\"; did you mean \"min_size\"?"),
        ("fase.min_size", "0.2", "--set fase.min_size: unknown table \"fase\"; did you mean \"face\"?"),
        (
            "source.url", "rtsp://x/",
            "--set source.url: url does not apply to kind \"test\"; it belongs to kind \"rtsp\""
        ),
        ("source.kind.x", "1", "--set source.kind.x: \"kind\" is a string, not a table"),
        ("face", "true", "--set face: face must be a table, not a boolean; write [face]"),
        ("face.roi", "[0, 0", "--set face.roi: the value is not TOML; mind the shell's own quotes"),
        ("face.mode", "\"fast", "--set face.mode: the value is not TOML; mind the shell's own quotes"),
        ("face.roi", "[0, 0, 2, 1]", "--set face.roi: roi[2] must be 0 to 1, not 2"),
        (
            "face.mode", "fast\nx = 1",
            "--set face.mode: mode must be one of \"fast\", \"accurate\", not \"fast\\nx = 1\""
        ),
        (
            "face..x", "1",
            "--set: \"face..x\" is not a key; write --set table.key=value, such as --set face.min_size=0.2"
        ),
        ("", "1", "--set: \"\" is not a key; write --set table.key=value, such as --set face.min_size=0.2"),
    ])
    func errorsOfOverridesNameTheArgument(key: String, value: String, message: String) {
        #expect(pipelineProblems(text, set: [(key: key, value: value)]) == [message])
    }

    @Test func errorsOfTheFileKeepTheirLinesUnderOverrides() {
        let problems = pipelineProblems(
            "[source]\nkind = \"test\"\nwidth = 0\n[face]\nx = 1\n", set: [("face.mode", "slow"), ("y", "1")])
        #expect(problems.count == 4)
        #expect(problems[0] == "p.toml:3: [source] width must be 1 to 16384, not 0")
        #expect(problems[1].hasPrefix("p.toml:5: [face] unknown key \"x\""))
        #expect(problems[2].hasPrefix("--set face.mode: mode must be one of"))
        #expect(problems[3].hasPrefix("--set y: unknown key \"y\""))
    }

    @Test func theSourceOverrideReplacesTheWholeSourceTable() throws {
        let text = "[source]\nkind = \"nonsense\"\nwidth = -1\n[face]\n"
        let settings = try PipelineSettings.parse(
            text, file: "p.toml", source: "test:ball", overrides: [("source.frames", "3")])
        #expect(settings.source == SourceSettings(kind: .test(pattern: "ball", frames: 3)))
        #expect(pipelineProblems(text, source: "test:bal").first?.hasPrefix("--source: pattern must be") == true)
        #expect(try PipelineSettings.parse("", source: "test:").source.kind == .test())
    }
}
