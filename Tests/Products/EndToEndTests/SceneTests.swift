// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Runs `[scene]` with the real classifier on real pictures. The labels are those that a person would give.
@Suite(.enabled(if: SharedData.has("models/shufflenet_v2.onnx"), "no shared data beside the checkout"))
struct SceneTests {
    /// The models that set-up installed.
    private static var environment: [String: String] { ["GLIMPSED_MODELS_DIR": SharedData.path("models")] }

    private struct Scene: Decodable {
        struct Label: Decodable, Equatable {
            var text: String
            var index: Int
        }

        var labels: [Label]
    }

    private struct Image: Decodable {
        struct Feature: Decodable {
            var kind: String
            var box: Detected.Box
            var confidence: Double
            var scene: Scene
        }

        var file: String
        var features: [Feature]
    }

    private func detect(_ files: [String], _ options: String...) throws -> [Image] {
        let result = Program.run(
            Program.built("glimpsed"),
            ["detect", "--scene"] + options + files.map { SharedData.path("media/images/\($0)") },
            environment: Self.environment)
        try #require(result.status == 0, "\(result)")
        return try result.lines.map { try JSONDecoder().decode(Image.self, from: Data($0.utf8)) }
    }

    /// A cat, a cup of coffee from above, and a camera on a tripod, one after the other. No picture influences the
    /// next.
    @Test func photographsHaveTheExpectedSceneLabels() throws {
        let images = try detect([
            "noface/chelsea.png", "noface/coffee.png", "face/camera_profile.png", "noface/chelsea.png",
        ])
        let best = images.map { $0.features.first?.scene.labels.first?.text }
        #expect(best == ["Egyptian cat", "espresso", "tripod", "Egyptian cat"])
        #expect(images.allSatisfy { $0.features.allSatisfy { $0.kind == "scene" && $0.confidence >= 0.9 } })
        #expect(images[0].features.first?.scene.labels.first?.index == 285)
        #expect(images[0].features.first?.confidence == images[3].features.first?.confidence)
    }

    @Test func optionsOfScenesChangeTheLabels() throws {
        let picture = ["noface/chelsea.png"]
        let many = try detect(picture, "--set", "scene.confidence=0", "--set", "scene.top=5")[0].features
        #expect(many.count == 5)
        #expect(zip(many, many.dropFirst()).allSatisfy { $0.confidence >= $1.confidence })
        #expect(try detect(picture, "--set", "scene.confidence=0.01", "--set", "scene.top=2")[0].features.count == 2)
        #expect(try detect(picture, "--set", "scene.confidence=0.99")[0].features.isEmpty)
        let part = try detect(picture, "--set", "scene.roi=[0.5,0,0.5,1]", "--set", "scene.confidence=0")[0].features
        #expect(part.first?.box.x == 224 && part.first?.box.w == 226)
    }

    /// Four seconds of coffee, six of a cat: each label comes once, holds, and goes once.
    @Test func sceneLabelsOfAFilmComeAndGo() throws {
        let scope = TestScope()
        let film = scope.path("film.mkv")
        func still(_ name: String, _ frames: Int) -> String {
            "filesrc location=\(SharedData.path("media/images/noface/\(name)")) ! pngdec ! videoconvert ! videoscale "
                + "! video/x-raw,format=I420,width=480,height=320,pixel-aspect-ratio=1/1 "
                + "! imagefreeze num-buffers=\(frames) ! video/x-raw,framerate=10/1 ! c. "
        }
        try MediaMaker.run(
            "concat name=c ! jpegenc ! matroskamux ! filesink location=\(film) " + still("coffee.png", 40)
                + still("chelsea.png", 60))
        scope.write("p.toml", "[source]\nkind = \"test\"\n[scene]\n")
        let result = Program.run(
            Program.built("glimpsed"), ["pipeline", scope.path("p.toml"), "--source", film],
            environment: Self.environment)
        try #require(result.status == 0, "\(result)")
        #expect(violation(in: result.lines.map { Array($0.utf8) }) == nil)

        struct Line: Decodable {
            struct Frame: Decodable { var pts_ns: Int }
            var type: String
            var scene: Scene?
            var reason: String?
            var frame: Frame?
        }
        let lines = try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        func summaries(_ type: String) -> [String] {
            lines.filter { $0.type == type }.map { "\($0.scene?.labels.first?.text ?? "") \($0.reason ?? "")" }
        }
        #expect(summaries("detected") == ["espresso ", "Egyptian cat "])
        #expect(summaries("completed") == ["espresso gone", "Egyptian cat end_of_stream"])
        let cat = try #require(lines.first { $0.type == "detected" && $0.scene?.labels.first?.index == 285 }?.frame)
        #expect((4_000_000_000...9_000_000_000).contains(cat.pts_ns))
        let gone = try #require(lines.first { $0.type == "completed" }?.frame)
        #expect((5_500_000_000...8_000_000_000).contains(gone.pts_ns))
    }

    @Test func aMissingSceneModelIsReportedWithTheCommandThatInstallsIt() throws {
        let scope = TestScope()
        scope.write("p.toml", "[source]\nkind = \"test\"\nframes = 2\n[scene]\nmodel = \"resnet50\"\n")
        let result = Program.run(Program.built("glimpsed"), ["pipeline", scope.path("p.toml")])
        #expect(
            result.lines.contains {
                $0.contains(#""operational":false"#) && $0.contains("run: glimpsed models install resnet50")
            })
        let wrong = Program.run(
            Program.built("glimpsed"), ["pipeline", scope.path("p.toml"), "--set", "scene.model=yolox_nano"])
        #expect(wrong.lines.contains { $0.contains("is of kind object, not classifier") }, "\(wrong)")
    }
}
