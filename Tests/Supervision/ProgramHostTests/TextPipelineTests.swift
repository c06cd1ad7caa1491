// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The text reader in a pipeline, through the built executables.
@Suite(
    .enabled(
        if: access("/usr/bin/tesseract", X_OK) == 0 || getenv("GLIMPSE_REQUIRE_TESSERACT") != nil,
        "needs scripts/setup.sh --text"))
struct TextPipelineTests {
    private let scope = TestScope()

    private struct Line: Decodable {
        struct Text: Decodable {
            struct Word: Decodable { var value: String }

            var value: String?
            var words: [Word]?
            var redacted: Bool?
        }

        var type: String
        var kind: String?
        var text: Text?
        var frame: Frame?

        struct Frame: Decodable { var seq: Int }
    }

    private func lines(_ keys: String = "") throws -> [Line] {
        // The second text takes the place of the first after two seconds.
        func part(_ text: String, _ file: String) throws {
            try MediaMaker.run(
                "videotestsrc num-buffers=20 pattern=solid-color foreground-color=0xffd0d0d0 "
                    + "! video/x-raw,width=640,height=360,framerate=10/1 ! textoverlay text='\(text)' font-desc='DejaVu Sans 28px' "
                    + "color=0xff101010 draw-shadow=false draw-outline=false auto-resize=false valignment=center halignment=center "
                    + "! videoconvert ! jpegenc quality=95 ! multifilesink location=\(scope.path("\(file)%02d.jpg"))")
        }
        try part("Platform 7", "a")
        try part("Platform 9", "b")
        let file = scope.write(
            "text.toml",
            """
            name = "text"
            [source]
            kind = "images"
            path = "\(scope.path("*.jpg"))"
            fps = 10
            [external.text]
            kind = "text"
            command = ["python3", "\(Checkout.root)/detectors/tesseract.py"]
            \(keys)
            """)
        let result = Program.run(Program.built("glimpsed"), ["pipeline", file], within: .seconds(300))
        #expect(result.status == 0, "\(result)")
        return try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test func aTextIsATrackUntilAnotherTakesItsPlace() throws {
        let detected = try lines().filter { $0.type == "detected" }
        #expect(detected.map(\.text?.value) == ["Platform 7", "Platform 9"])
        #expect(
            detected.first?.text?.words?.map(\.value) == ["Platform", "7"] && detected.allSatisfy { $0.kind == "text" })
        #expect((1...3).contains(detected[0].frame?.seq ?? 0) && (20...25).contains(detected[1].frame?.seq ?? 0))
    }

    @Test func patternsOfTheTableHideTexts() throws {
        let denied = try lines("deny = [\"7$\"]").filter { $0.type == "detected" }
        #expect(denied.map(\.text?.value) == ["Platform 9"])
        let redacted = try lines("redact = [\"Platform\"]").filter { $0.kind == "text" }
        #expect(!redacted.isEmpty && redacted.allSatisfy { $0.text?.value == nil })
    }

    @Test func theReaderPassesTheTestOfDetectors() {
        let result = Program.run(
            Program.built("glimpsed"), ["detector-test", "python3", "\(Checkout.root)/detectors/tesseract.py"],
            within: .seconds(300))
        #expect(result.status == 0, "\(result)")
        #expect(result.lines.count == 3 && result.lines.allSatisfy { $0.hasPrefix("ok  ") }, "\(result)")
    }
}
