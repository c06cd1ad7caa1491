import Detectors
import Observations
import Testing

@Suite struct NonMaximumSuppressionTests {
    private func kept(_ boxes: [Box], _ scores: [Float], _ overlap: Float = 0.5) -> [Int] {
        nonMaximumSuppression(boxes: boxes, scores: scores, maximumOverlap: overlap)
    }

    private let here = Box(x: 0, y: 0, width: 10, height: 10)
    private let near = Box(x: 1, y: 0, width: 10, height: 10)
    private let far = Box(x: 50, y: 0, width: 10, height: 10)

    @Test func nothingGivesNothing() {
        #expect(kept([], []) == [])
    }

    @Test func theBestOfOverlappingBoxesStays() {
        #expect(kept([here, near, far], [0.5, 0.9, 0.1]) == [1, 2])
    }

    @Test func tiesFallToTheLowerIndex() {
        #expect(kept([near, here, far], [0.5, 0.5, 0.5]) == [0, 2])
    }

    @Test func theLimitItselfIsAllowed() {
        // Two boxes of 100 that share 50: 50 / 150.
        let shifted = Box(x: 5, y: 0, width: 10, height: 10)
        #expect(kept([here, shifted], [0.9, 0.8], 1.0 / 3) == [0, 1])
        #expect(kept([here, shifted], [0.9, 0.8], 0.33) == [0])
    }

    @Test func suppressionIsGreedyNotTransitive() {
        // The middle one falls to the first, and so cannot take the last with it.
        let boxes = [0, 6, 12].map { Box(x: $0, y: 0, width: 10, height: 10) }
        #expect(kept(boxes, [0.9, 0.8, 0.7], 0.2) == [0, 2])
    }
}
