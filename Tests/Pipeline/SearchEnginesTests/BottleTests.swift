// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// A session on a film of bottles, with the classifier, in the foreground.
@Suite(.enabled(if: SharedData.has("media/video/bottle-detection.mp4"))) struct BottleTests {
    @Test func aSearchSessionFindsABottle() async throws {
        let scope = TestScope()
        let file = scope.write(
            "bottles.toml",
            """
            [source]
            kind = "file"
            path = "\(SharedData.path("media/video/bottle-detection.mp4"))"
            [object]
            model = "yolox_nano"
            classify = true
            [search]
            engine = "classifier"
            confidence = 0.1
            reticle = { radius = 0.3 }
            [search.classifier]
            model = "squeezenet"
            """)
        let worker = RunningProgram(
            Program.built("glimpsed-worker"), ["pipeline", file, "--pictures", scope.path("pictures")],
            environment: ["GLIMPSED_MODELS_DIR": SharedData.path("models")])
        // The first search begins after a second and a half of the film. The test skips the rest.
        _ = await holds {
            String(decoding: worker.output, as: UTF8.self).contains(#""state":"searched""#)
        }
        worker.send(SIGTERM)
        let ended = worker.finish()
        let line = try #require(ended.lines.first { $0.contains(#""state":"searched""#) }, "\(ended)")
        let searched = try #require(
            JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let titles = (searched["results"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
        #expect(titles.contains("water bottle"), "\(titles)")
        let crop = try TestFile.read(try #require(searched["crop"] as? String))
        #expect(crop.prefix(3) == [0xFF, 0xD8, 0xFF] && crop.suffix(2) == [0xFF, 0xD9])
    }
}
