// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Objects of real films through the built executables, against a count by eye.
@Suite(
    .enabled(
        if: SharedData.has("media/video/bottle-detection.mp4") && SharedData.has("models/yolox_nano_416.onnx"),
        "no shared data beside the checkout"), .serialized)
struct ObjectFilmTests {
    /// Runs `pipelines/objects.toml` with another source on a machine with these models.
    private func run(_ objects: FilmObjects, model: String, every: Int) throws -> [String] {
        var arguments = [
            "pipeline", "\(Checkout.root)/pipelines/objects.toml", "--source",
            SharedData.path("media/video/\(objects.film)"), "--set", "source.every=\(every)", "--set",
            "object.model=\(model)",
        ]
        if model == "motion" { arguments += ["--set", "object.classify=false"] }
        let result = Program.run(
            Program.built("glimpsed"), arguments, environment: ["GLIMPSED_MODELS_DIR": SharedData.path("models")],
            within: .seconds(1200))
        try #require(result.status == 0, "\(result)")
        return result.lines
    }

    /// The output equals the table in the documentation (`UPDATE_GOLDEN=1` rewrites it), and each line follows the
    /// event stream's schema.
    @Test func objectsOfFilmsEqualTheManualCount() throws {
        var rows = [
            "| film | every | model | objects by eye | completed tracks | objects found | second tracks | tracks at no object | seen |",
            "|---|---|---|---|---|---|---|---|---|",
        ]
        for (objects, model, every) in [
            (FilmObjects.bottles, "yolox_nano", 3), (.bottles, "motion", 3), (.persons, "yolox_nano", 2),
            (.persons, "fastestdet", 2), (.persons, "motion", 1),
        ] {
            let lines = try run(objects, model: model, every: every)
            #expect(violation(in: lines.map { Array($0.utf8) }) == nil, "\(objects.film) \(model)")
            let tracks = try lines.filter { $0.contains("\"track\":") }.map {
                try JSONDecoder().decode(FilmObjects.TrackLine.self, from: Data($0.utf8))
            }
            let label = model == "motion" ? nil : objects.label
            let score = objects.score(tracks, label: label, every: every)
            rows.append(
                "| \(objects.film) | \(every) | \(model) | \(objects.objects.count) \(objects.label)s | \(score.tracks)"
                    + " | \(score.found) | \(score.again) | \(score.others) | \(Int((score.seen * 100).rounded())) % |")
        }
        try GoldenBlock(file: "docs/performance/objects.md", name: "film objects").expect(rows)
    }
}
