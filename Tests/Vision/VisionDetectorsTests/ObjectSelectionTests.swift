// SPDX-License-Identifier: Apache-2.0
import Detectors
import GlimpseTesting
import ModelCatalog
import Observations
import Settings
import Testing

@testable import VisionDetectors

/// The effect of each setting on the boxes that a network proposes.
@Suite struct ObjectSelectionTests {
    private static let labels = ["cup", "bowl", "cake", "person"]

    /// A cup that may be a bowl, a cake in a corner, and a large person left of the middle. In a picture of 1000 x 500.
    private static let boxes = [
        candidate(460, 210, 80, 80, 0.7, 0), candidate(462, 212, 80, 80, 0.6, 1), candidate(5, 5, 40, 30, 0.9, 2),
        candidate(100, 50, 200, 400, 0.8, 3), candidate(466, 216, 80, 80, 0.5, 0),
    ]

    private static func candidate(
        _ x: Float, _ y: Float, _ width: Float, _ height: Float, _ score: Float, _ index: Int
    ) -> ClassifiedBox {
        ClassifiedBox(box: Box(x: x, y: y, width: width, height: height), score: score, classIndex: index)
    }

    private func select(
        _ boxes: [ClassifiedBox] = Self.boxes, _ change: (inout ObjectSettings) -> Void
    ) throws -> [Detection] {
        var settings = ObjectSettings()
        change(&settings)
        var boxes = boxes
        return try ObjectSelection(settings, labels: Self.labels, model: "m")
            .objects(&boxes, maximumOverlap: 0.5, width: 1000, height: 500)
    }

    /// Each object as its labels, `-` for none, and `!` for the prominent one.
    private func names(_ detections: [Detection]) -> [String] {
        detections.map { detection in
            guard case .object(let object) = detection.content else { return "?" }
            let labels = object.labels.map(\.text).joined(separator: "/")
            return (labels.isEmpty ? "-" : labels) + (object.isProminent ? "!" : "")
        }
    }

    private func object(_ detection: Detection?) -> ObjectLabels {
        if case .object(let object) = detection?.content { object } else { ObjectLabels() }
    }

    @Test func anObjectWithoutClassesIsOneBox() throws {
        let found = try select { _ in }
        #expect(names(found) == ["-", "-", "-"])
        #expect(found.map(\.confidence) == [0.9, 0.8, 0.7])
        #expect(found.map { object($0).category } == [nil, nil, nil])
    }

    /// A surer proposal on the cup, one beside everything that is the most prominent, and a worse one on that.
    @Test(arguments: [false, true])
    func aProposalIsAnUnknownObjectUnlessAClassIsThere(classify: Bool) throws {
        let none = ClassifiedBox.noClass
        let boxes =
            Self.boxes + [
                Self.candidate(461, 211, 80, 80, 0.95, none), Self.candidate(560, 150, 250, 250, 0.6, none),
                Self.candidate(565, 155, 250, 250, 0.55, none),
            ]
        let found = try select(boxes) { ($0.any, $0.classify) = (true, classify) }
        #expect(found.map(\.confidence) == (classify ? [0.9, 0.8, 0.7, 0.6, 0.6] : [0.9, 0.8, 0.7, 0.6]))
        #expect(found.last { $0.box.x == 560 }.map { object($0).category } == .some(classify ? .unknown : nil))
        #expect(found.last { $0.box.x == 560 }.map { object($0).labels } == [])
        let single = try select(boxes) { ($0.any, $0.classify, $0.mode, $0.maxObjects) = (true, classify, .single, 2) }
        #expect(names(single).first == "-!" && single.first?.box.x == 560 && single.count == 2)
    }

    @Test func eachClassOfAnObjectHasItsOwnBox() throws {
        let found = try select { $0.classify = true }
        #expect(names(found) == ["cake", "person", "cup", "bowl"])
        #expect(found.map { object($0).category } == [.food, .unknown, .homeGood, .homeGood])
        #expect(object(found.first).labels == [Label(text: "cake", index: 2, confidence: 0.9)])
    }

    @Test func classAgnosticBoxesHaveAllLabels() throws {
        let found = try select { ($0.classify, $0.classAgnostic) = (true, true) }
        #expect(names(found) == ["cake", "person", "cup/bowl"])
        #expect(object(found.last).labels.map(\.confidence) == [0.7, 0.6])
    }

    @Test func labelsOfAnObjectAreBounded() throws {
        func labels(_ change: (inout ObjectSettings) -> Void) throws -> [String] {
            names(
                try select {
                    ($0.classify, $0.classAgnostic) = (true, true)
                    change(&$0)
                })
        }
        #expect(try labels { $0.maxLabels = 1 } == ["cake", "person", "cup"])
        #expect(try labels { $0.labelConfidence = 0.65 } == ["cake", "person", "cup"])
        #expect(try labels { $0.labelConfidence = 0.85 } == ["cake", "-", "-"])
        let unknown = try select { ($0.classify, $0.labelConfidence) = (true, 0.95) }
        #expect(unknown.map { object($0).category } == [.unknown, .unknown, .unknown, .unknown])
    }

    @Test func onlyConfiguredObjectClassesAreKept() throws {
        #expect(names(try select { ($0.classify, $0.labels) = (true, ["bowl", "person"]) }) == ["person", "bowl"])
        // No setting asks for cups, so the cup does not hide the bowl. A setting may ask for classes that are not
        // reported.
        let found = try select { $0.labels = ["bowl"] }
        #expect(names(found) == ["-"])
        #expect(found.map(\.confidence) == [0.6])
    }

    @Test func anObjectClassThatTheModelLacksIsRefused() {
        #expect(throws: DetectorError("the model m has no class \"cop\" (labels); did you mean \"cup\"?")) {
            try select { $0.labels = ["cup", "cop"] }
        }
        #expect(throws: DetectorError("the model m has no class \"aardvark\" (labels); it has 4 others")) {
            try select { $0.labels = ["aardvark"] }
        }
    }

    @Test func anObjectBoxBelowMinSizeIsLeftOut() throws {
        for (size, count) in [(0.039, 3), (0.041, 2), (0.1, 1), (0.5, 0)] {
            #expect(try select { $0.minSize = size }.count == count, "\(size)")
        }
    }

    @Test func aSingleImageGivesTheMostProminentObject() throws {
        func single(_ change: (inout ObjectSettings) -> Void) throws -> [String] {
            names(
                try select {
                    ($0.classify, $0.classAgnostic, $0.maxLabels, $0.mode) = (true, true, 1, .single)
                    change(&$0)
                })
        }
        #expect(try single { _ in } == ["cake", "person!", "cup"])
        #expect(try single { $0.maxObjects = 2 } == ["person!", "cup"])
        #expect(try single { $0.multiple = false } == ["person!"])
    }

    /// For a stream the tracker does it.
    @Test func aStreamKeepsAllObjectsForTheTracker() throws {
        let found = try select { ($0.classify, $0.maxObjects, $0.multiple) = (true, 1, false) }
        #expect(names(found) == ["cake", "person", "cup", "bowl"])
    }

    @Test func anyNetworkOutputGivesObjectBoxesInThePicture() throws {
        for seed in Fuzz.seeds(200) {
            var random = SeededRandom(seed: seed)
            let boxes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                Self.candidate(
                    .random(in: -400...1200, using: &random), .random(in: -400...700, using: &random),
                    .random(in: 0.1...900, using: &random), .random(in: 0.1...900, using: &random),
                    .random(in: 0...1, using: &random), .random(in: 0...6, using: &random))
            }
            let limit = Int.random(in: 1...5, using: &random)
            let isSingle = Bool.random(using: &random)
            let found = try select(boxes) {
                $0.classify = .random(using: &random)
                $0.classAgnostic = .random(using: &random)
                $0.mode = isSingle ? .single : .stream
                $0.maxObjects = limit
            }
            #expect(!isSingle || found.count <= limit, "seed \(seed)")
            #expect(
                found.allSatisfy { detection in
                    detection.box.isValid && detection.box.clipped(width: 1000, height: 500) == detection.box
                }, "seed \(seed)")
            #expect(zip(found, found.dropFirst()).allSatisfy { ($0.confidence ?? 0) >= ($1.confidence ?? 0) })
        }
    }

    // MARK: The network's shape

    @Test(arguments: [
        (1280, 720, 416, 256), (640, 480, 416, 320), (480, 640, 320, 416), (500, 500, 416, 416), (4000, 40, 416, 32),
        (64, 48, 416, 320),
    ])
    func theObjectNetworkOfAStreamHasThePicturesShape(width: Int, height: Int, inputWidth: Int, inputHeight: Int) {
        let model = ModelInput(
            width: 416, height: 416, multipleOf: 32, resize: .letterbox(.topLeft, padding: 114))
        let fitted = model.fitted(width: width, height: height)
        #expect((fitted.width, fitted.height) == (inputWidth, inputHeight))
        var fixed = model
        fixed.multipleOf = nil
        #expect(fixed.fitted(width: width, height: height) == fixed)
        var stretched = model
        stretched.resize = .stretch
        #expect(stretched.fitted(width: width, height: height) == stretched)
    }
}
