// SPDX-License-Identifier: Apache-2.0
import Detectors
import GlimpseTesting
import Observations
import Testing

@Suite struct SuppressionTests {
    private func kept(
        _ boxes: [Box], _ scores: [Float], _ overlap: Float = 0.5, classes: [Int] = [], perClass: Bool = false,
        limit: Int = .max
    ) -> [Box] {
        var candidates = boxes.indices.map {
            ClassifiedBox(box: boxes[$0], score: scores[$0], classIndex: classes.isEmpty ? 0 : classes[$0])
        }
        candidates.suppressOverlaps(above: overlap, perClass: perClass, limit: limit)
        return candidates.map(\.box)
    }

    private let here = Box(x: 0, y: 0, width: 10, height: 10)
    private let near = Box(x: 1, y: 0, width: 10, height: 10)
    private let far = Box(x: 50, y: 0, width: 10, height: 10)

    @Test func suppressionOfNoBoxesGivesNoBoxes() {
        #expect(kept([], []) == [])
    }

    @Test func suppressionKeepsTheBestOfOverlappingBoxes() {
        #expect(kept([here, near, far], [0.5, 0.9, 0.1]) == [near, far])
    }

    @Test func tiesOfSuppressionDoNotDependOnTheOrder() {
        #expect(kept([near, here, far], [0.5, 0.5, 0.5]) == [here, far])
        #expect(kept([far, here, near], [0.5, 0.5, 0.5]) == [here, far])
    }

    @Test func suppressionAllowsAnOverlapOfExactlyTheLimit() {
        // Two boxes of 100 that share 50: 50 / 150.
        let shifted = Box(x: 5, y: 0, width: 10, height: 10)
        #expect(kept([here, shifted], [0.9, 0.8], 1.0 / 3) == [here, shifted])
        #expect(kept([here, shifted], [0.9, 0.8], 0.33) == [here])
    }

    @Test func suppressionIsGreedyNotTransitive() {
        // The first box suppresses the middle one, which therefore cannot suppress the last.
        let boxes = [0, 6, 12].map { Box(x: $0, y: 0, width: 10, height: 10) }
        #expect(kept(boxes, [0.9, 0.8, 0.7], 0.2) == [boxes[0], boxes[2]])
    }

    @Test func suppressionMayBePerClass() {
        #expect(kept([here, near], [0.9, 0.8], classes: [1, 2], perClass: true) == [here, near])
        #expect(kept([here, near], [0.9, 0.8], classes: [1, 2], perClass: false) == [here])
        #expect(kept([here, near], [0.9, 0.8], classes: [2, 2], perClass: true) == [here])
    }

    @Test func theLimitOfSuppressionKeepsTheBestBoxes() {
        let boxes = (0..<50).map { Box(x: Float(20 * $0), y: 0, width: 10, height: 10) }
        let scores = (0..<50).map { Float($0 * 7 % 50) / 50 }
        let best = boxes.indices.sorted { scores[$0] > scores[$1] }.prefix(3).map { boxes[$0] }
        #expect(kept(boxes, scores, limit: 3) == best)
    }

    /// Compares with the definition: sort, then keep each box that overlaps no kept box.
    @Test(arguments: Fuzz.seeds(40))
    func suppressionEqualsItsDefinition(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let boxes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
            Box(
                x: .random(in: 0...100, using: &random), y: .random(in: 0...100, using: &random),
                width: .random(in: 1...40, using: &random), height: .random(in: 1...40, using: &random))
        }
        let scores = boxes.map { _ in Float.random(in: 0...1, using: &random) }
        let classes = boxes.map { _ in Int.random(in: 0...2, using: &random) }
        let perClass = Bool.random(using: &random)
        var expected: [Int] = []
        for index in boxes.indices.sorted(by: { scores[$0] > scores[$1] })
        where expected.allSatisfy({
            (perClass && classes[$0] != classes[index])
                || boxes[$0].intersectionOverUnion(boxes[index]) <= 0.4
        }) {
            expected.append(index)
        }
        #expect(kept(boxes, scores, 0.4, classes: classes, perClass: perClass) == expected.map { boxes[$0] })
    }
}
