// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Every example of docs/reference/from-mobile-vision.md runs, and its output has the stated part.
@Suite(.enabled(if: SharedData.has("models/yolox_nano_416.onnx"), "no shared data beside the checkout"))
struct MobileVisionPageTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var title: String
        var pipeline: String
        var parts: [String]

        var testDescription: String { title }
    }

    private static let page =
        (try? String(contentsOfFile: "\(Checkout.root)/docs/reference/from-mobile-vision.md", encoding: .utf8)) ?? ""

    static let examples: [Example] = page.components(separatedBy: "\n## ").dropFirst().map { section in
        let blocks = section.components(separatedBy: "```toml\n").dropFirst()
        let rest = (blocks.first ?? "").components(separatedBy: "\n```\n")
        let output = section.components(separatedBy: "\nOutput has: ").dropFirst().first ?? ""
        return Example(
            title: section.components(separatedBy: "\n")[0], pipeline: rest[0],
            parts: output.matches(of: /`([^`]+)`/).map { String($0.output.1) })
    }

    @Test(arguments: examples)
    func theMobileVisionExampleRunsAndPrintsItsPart(example: Example) throws {
        let scope = TestScope()
        scope.write("p.toml", example.pipeline + "\n")
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: scope.path("photograph.jpg"),
            withDestinationPath: SharedData.path("corpora/coco-dev/000000000397.jpg"))
        try files.createSymbolicLink(
            atPath: scope.path("clip.mp4"), withDestinationPath: SharedData.path("media/video/bottle-detection.mp4"))
        let result = Program.run(
            Program.built("glimpsed"), ["pipeline", scope.path("p.toml")],
            environment: ["GLIMPSED_MODELS_DIR": SharedData.path("models")])
        try #require(result.status == 0, "\(result)")
        #expect(!example.parts.isEmpty)
        for part in example.parts { #expect(result.lines.contains { $0.contains(part) }, "\(part) in \(result)") }
    }

    /// Each row has an example, and each example a row.
    @Test func everyRowOfTheMobileVisionTableHasItsExample() {
        let anchors = Self.page.matches(of: /\[example\]\(#([a-z-]+)\)/).map { String($0.output.1) }
        let titles = Self.examples.map { $0.title.lowercased().replacing(" ", with: "-") }
        #expect(!anchors.isEmpty && anchors == titles)
    }
}
