// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Installation
import Observations
import Search
import Settings
import Testing

@testable import SearchEngines

/// An index of twenty pictures finds the one that was turned, made smaller, made darker.
@Suite(.enabled(if: SharedData.has("media/images"))) struct EmbeddingTests {
    private static let photographs = [
        "images/face/astronaut.png", "images/face/camera_profile.png", "images/face/portrait-720p.jpg",
        "images/noface/chelsea.png", "images/noface/coffee.png", "images/noface/hubble_deep_field.jpg",
        "images/noface/rocket.jpg", "video/asl_again.mkv", "video/asl_book.mkv", "video/asl_help.mkv",
        "video/bottle-detection.mp4", "video/one-by-one-person-detection.mp4",
    ]
    private static let patterns = [
        "smpte", "ball", "circular", "pinwheel", "spokes", "zone-plate", "checkers-8", "gamut",
    ]

    /// The difference of a copy, as a text of GStreamer elements.
    private static let copies = [
        ("turned", "rotate angle=0.35"), ("quarter", "videoflip method=clockwise"),
        ("over", "videoflip method=rotate-180"), ("small", "videoscale ! video/x-raw,width=120,height=120"),
        ("dark", "videobalance contrast=0.4"),
        (
            "all",
            "rotate angle=-0.2 ! videobalance contrast=0.6"
                + " ! videoscale ! video/x-raw,width=160,height=160"
        ),
    ]

    /// The pictures and their copies, a folder each.
    private func makePictures(_ scope: TestScope) throws {
        for folder in ["reference"] + Self.copies.map(\.0) { scope.write("\(folder)/.keep", "") }
        let sources =
            Self.photographs.map { ("filesrc location=\(SharedData.path("media/\($0)")) ! decodebin", name($0)) }
            + Self.patterns.map { ("videotestsrc num-buffers=1 pattern=\($0)", $0) }
        for (source, name) in sources {
            var text = "\(source) ! videoconvert ! videoscale ! video/x-raw,width=300,height=300,pixel-aspect-ratio=1/1"
            text += " ! tee name=t"
            for (folder, change) in [("reference", "identity")] + Self.copies {
                text += " t. ! queue ! \(change) ! videoconvert ! pngenc snapshot=true"
                text += " ! filesink location=\(scope.path("\(folder)/\(name).png"))"
            }
            try MediaMaker.run(text)
        }
    }

    private func name(_ path: String) -> String {
        String(path.split(separator: "/").last?.split(separator: ".").first ?? "")
    }

    @Test func theEmbeddingIndexFindsCopiesOfPictures() async throws {
        let scope = TestScope()
        try makePictures(scope)
        let models = ResourceFolders.ofThisProcess(modelsFolder: SharedData.path("models")).models
        let embedder = try PictureEmbedder(model: "squeezenet_features", models: models)
        let (index, skipped) = try PictureIndexBuilder(embedder, turns: 4).build(scope.path("reference")) { _, _ in }
        #expect(skipped == [] && index.header.items.count == 20 && index.header.dimensions == 512)
        try PictureIndexFile.write(index, to: scope.path("shop.index"))

        let engine = SearchRunner(
            IndexSearchSettings(file: scope.path("shop.index")), models: models, timeout: patience)
        for (folder, _) in Self.copies {
            var found = 0
            for item in index.header.items {
                let best = try await results(engine, scope.path("\(folder)/\(item.id)")).first
                if best?.id == item.id { found += 1 }
            }
            #expect(found >= 18, "\(folder): \(found) of 20")
        }
    }

    @Test func anEmbeddingIndexOfAnotherModelIsRefused() async throws {
        let scope = TestScope()
        let models = ResourceFolders.ofThisProcess(modelsFolder: SharedData.path("models")).models
        let header = PictureIndex.Header(
            model: "squeezenet_features", modelSHA256: "another", folder: "/", dimensions: 1, turns: 1,
            items: [.init(id: "a", title: "a")])
        try PictureIndexFile.write(PictureIndex(header, vectors: [1]), to: scope.path("a.index"))
        for file in ["a.index", "none.index"] {
            let settings = IndexSearchSettings(file: scope.path(file))
            let engine = SearchRunner(settings, models: models, timeout: patience)
            guard case .failed(let failure) = await answer(engine, SharedData.path("media/images/noface/coffee.png"))
            else { throw SearchFailure(.engine, retryable: false) }
            #expect(failure.reason == .engine && !failure.retryable && failure.message != nil)
        }
    }

    /// The classifier on a photograph of a cup.
    @Test func theClassifierEngineNamesTheObject() async throws {
        let models = ResourceFolders.ofThisProcess(modelsFolder: SharedData.path("models")).models
        var settings = ClassifierSearchSettings()
        settings.model = "squeezenet"
        let engine = SearchRunner(settings, models: models, timeout: patience)
        let found = try await results(engine, SharedData.path("media/images/noface/coffee.png"))
        #expect(found.count == 5 && found.map(\.title).contains("espresso"), "\(found)")
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.confidence >= $1.confidence })
    }

    private func results(_ engine: SearchRunner, _ crop: String) async throws -> [SearchResult] {
        let answer = await answer(engine, crop)
        guard case .results(let results) = answer else {
            Issue.record("\(answer)")
            return []
        }
        return results
    }

    private func answer(_ engine: SearchRunner, _ crop: String) async -> SearchAnswer {
        let frame = FrameInfo(sequence: 1, presentationTime: 0, time: .epoch, clock: .file, width: 300, height: 300)
        let detection = Detection(
            box: Box(x: 0, y: 0, width: 300, height: 300), confidence: nil, content: .object(ObjectLabels()))
        let query = SearchQuery(
            id: "1.1", pipeline: "p", detector: "object", track: TrackID(1), detection: detection, frame: frame,
            crop: crop)
        return await withCheckedContinuation { done in engine.start(query) { done.resume(returning: $0) } }
    }
}
