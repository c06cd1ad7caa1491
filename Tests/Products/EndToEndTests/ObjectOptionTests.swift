// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Each option of `[object]` has its stated effect, with a real model on real pictures.
@Suite(
    .enabled(
        if: SharedData.has("corpora/coco-dev/000000000397.jpg") && SharedData.has("models/yolox_nano_416.onnx"),
        "no shared data beside the checkout"), .serialized)
struct ObjectOptionTests {
    private struct Picture: Decodable {
        var width: Double
        var height: Double
        var features: [Feature]
    }

    private struct Feature: Decodable {
        struct Object: Decodable {
            struct Label: Decodable {
                var text: String
                var index: Int
                var confidence: Double
            }

            var labels: [Label]
            var category: String?
            var prominent: Bool?
            var incomplete: Bool?
        }

        struct Frame: Decodable {
            var seq: Int
        }

        struct Track: Decodable {
            var id: String
            var hits: Int
        }

        var frame: Frame?
        var box: Detected.Box
        var confidence: Double?
        var track: Track?
        var object: Object

        var name: String { object.labels.first?.text ?? "-" }
    }

    private static let environment = ["GLIMPSED_MODELS_DIR": SharedData.path("models")]

    // MARK: Single images

    /// A pizza on a table, cups and a person behind it; `image` names others.
    private func detect(_ settings: String..., image: String = "000000000397") throws -> Picture {
        let result = Program.run(
            Program.built("glimpsed"),
            ["detect", "--object"] + settings.flatMap { ["--set", "object.\($0)"] }
                + [SharedData.path("corpora/coco-dev/\(image).jpg")], environment: Self.environment)
        try #require(result.status == 0, "\(result)")
        return try JSONDecoder().decode(Picture.self, from: Data(try #require(result.lines.first).utf8))
    }

    @Test(arguments: ["yolox_nano", "fastestdet"])
    func objectsOfASingleImageAreCompleteAndHaveNoIDs(model: String) throws {
        let picture = try detect("classify=true", "model=\"\(model)\"", image: "000000000034")
        let zebra = try #require(picture.features.first)
        #expect(picture.features.map(\.name) == ["zebra"])
        #expect(zebra.object.category == "unknown" && zebra.object.labels.first?.index == 22)
        #expect(zebra.object.prominent == true && zebra.object.incomplete == nil && zebra.track == nil)
        // COCO's own box: 0.62 of the picture, a little left of its middle.
        #expect(abs(zebra.box.w * zebra.box.h / picture.width / picture.height - 0.62) < 0.12)
        #expect(abs((zebra.box.x + zebra.box.w / 2) / picture.width - 0.35) < 0.1)
        #expect((zebra.confidence ?? 0) >= 0.5)
    }

    @Test func objectClassesAreGivenOnRequest() throws {
        let plain = try detect()
        #expect(!plain.features.isEmpty)
        for feature in plain.features {
            #expect(feature.confidence == nil && feature.object.labels.isEmpty && feature.object.category == nil)
        }
        let classified = try detect("classify=true").features
        #expect(classified.contains { $0.name == "pizza" && $0.object.category == "food" })
        #expect(classified.allSatisfy { $0.confidence != nil && $0.object.category != nil })
    }

    @Test func theProminentObjectIsGivenAloneOrAmongOthers() throws {
        let all = try detect("confidence=0.2").features
        #expect((3...5).contains(all.count))
        let prominent = all.filter { $0.object.prominent == true }
        #expect(prominent.count == 1)
        let one = try detect("confidence=0.2", "multiple=false").features
        #expect(one.map(\.box.corners) == prominent.map(\.box.corners) && one.first?.object.prominent == true)
        let two = try detect("confidence=0.2", "max_objects=2").features
        #expect(two.count == 2 && two.contains { $0.box.corners == prominent.first?.box.corners })
        #expect(try detect("confidence=0.05", "max_objects=50").features.count > 5)
    }

    @Test func thresholdsLabelsSizesAndRegionsChooseObjects() throws {
        let base = ["classify=true", "max_objects=100"]
        func names(_ settings: String...) throws -> [String] {
            let pairs = base + settings
            return try detect(pairs[0], pairs[1], pairs[2], pairs.count > 3 ? pairs[3] : pairs[2]).features.map(\.name)
        }
        let many = try names("confidence=0.1")
        let few = try names("confidence=0.6")
        #expect(few.count < many.count && Set(few).isSubset(of: many))
        #expect(Set(try names("labels=[\"cup\"]", "confidence=0.2")) == ["cup"])
        #expect(try names("min_size=0.6", "confidence=0.2").contains("pizza"))
        #expect(try !names("min_size=0.6", "confidence=0.2").contains("cup"))
        let left = try detect("confidence=0.1", "max_objects=100", "roi=[0, 0, 0.5, 1]")
        #expect(!left.features.isEmpty)
        #expect(left.features.allSatisfy { $0.box.x + $0.box.w <= left.width / 2 + 2 })
        #expect(try names("label_confidence=1", "confidence=0.2").allSatisfy { $0 == "-" })
    }

    @Test(arguments: [
        (
            ["model=\"no_such\""],
            "unknown model \"no_such\"; the models of this detector: auto, yolox_nano, fastestdet, motion"
        ),
        (["labels=[\"piza\"]"], "has no class \"piza\" (labels); did you mean \"pizza\"?"),
        (["model=\"motion\"", "mode=\"stream\""], "object is not operational: single images"),
        (["device=\"TPU\""], "this machine has no device \"TPU\" for OpenVINO; it has "),
    ])
    func anObjectSettingThatCannotWorkSaysWhy(settings: [String], reason: String) throws {
        let result = Program.run(
            Program.built("glimpsed"),
            ["detect", "--object"] + settings.flatMap { ["--set", "object.\($0)"] }
                + [SharedData.path("corpora/coco-dev/000000000034.jpg")], environment: Self.environment)
        let said = result.errors + result.lines.joined()
        #expect(said.contains(reason), "\(result)")
    }

    // MARK: Streams

    /// The updates of the bottles' film, three frames a second of it.
    private static func stream(_ settings: String...) throws -> [Feature] {
        let scope = TestScope()
        scope.write("p.toml", "[source]\nkind = \"test\"\n[object]\n")
        let result = Program.run(
            Program.built("glimpsed"),
            ["pipeline", scope.path("p.toml"), "--source", SharedData.path("media/video/bottle-detection.mp4")]
                + (["source.every=10"] + settings.map { "object.\($0)" }).flatMap { ["--set", $0] },
            environment: environment, within: .seconds(600))
        try #require(result.status == 0, "\(result)")
        let lines = result.lines.map { Array($0.utf8) }
        #expect(violation(in: lines) == nil)
        return try result.lines.filter { $0.contains("\"track\":") && $0.contains("\"type\":\"update\"") }
            .map { try JSONDecoder().decode(Feature.self, from: Data($0.utf8)) }
    }

    private static let classified = Result { try stream("classify=true") }

    private func mostAtOnce(_ updates: [Feature]) -> Int {
        Dictionary(grouping: updates) { $0.frame?.seq }.values.map(\.count).max() ?? 0
    }

    @Test func theFirstObjectsOfAStreamAreIncomplete() throws {
        let updates = try Self.classified.get()
        let first = updates.filter { ($0.track?.hits ?? 0) < 3 }
        #expect(!first.isEmpty && first.allSatisfy { $0.object.incomplete == true })
        #expect(updates.contains { $0.object.incomplete == nil })
    }

    /// No state passes from one frame to the next.
    @Test func objectsOfSingleImagesInAStreamAreTracksOfOneFrame() throws {
        let updates = try Self.stream("mode=\"single\"", "classify=true")
        #expect(!updates.isEmpty && updates.allSatisfy { $0.object.incomplete == nil })
        #expect(updates.allSatisfy { $0.track?.hits == 1 })
        #expect(Set(updates.compactMap(\.track?.id)).count == updates.count)
        #expect(mostAtOnce(updates) <= 5)
    }

    @Test func objectTracksAreBoundedInNumber() throws {
        #expect(try mostAtOnce(Self.classified.get()) >= 3)
        #expect(try mostAtOnce(Self.stream("max_objects=2")) == 2)
        let one = try Self.stream("multiple=false")
        #expect(mostAtOnce(one) == 1)
        #expect(one.allSatisfy { $0.object.prominent == true })
    }

    @Test func theRateOfTheObjectDetectorIsKept() throws {
        let all = Set(try Self.classified.get().compactMap(\.frame?.seq)).count
        let few = Set(try Self.stream("max_rate=1").compactMap(\.frame?.seq)).count
        // Three frames a second, and one.
        #expect(few > all / 4 && few < all / 2)
    }
}
