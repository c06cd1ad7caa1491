@testable import Detectors
import GlimpseTesting
import Observations
import Testing

@Suite struct BlendingTests {
    private func candidate(_ x: Float, _ score: Float, point: Float = 0) -> YuNetDecoder.Candidate {
        YuNetDecoder.Candidate(
            box: Box(x: x, y: 0, width: 100, height: 100), score: score,
            points: [Point](repeating: Point(x: point, y: -point), count: 5))
    }

    @Test func viewsOfOneFaceAreItsMeanByScore() throws {
        let faces = YuNetDecoder.blended([candidate(10, 0.6, point: 8), candidate(0, 0.9, point: 2)])
        let face = try #require(faces.first)
        #expect(faces.count == 1)
        #expect(face.score == 0.9)
        #expect(abs(face.box.x - 4) < 1e-4)
        #expect(face.box.width == 100)
        #expect(face.points.allSatisfy { abs($0.x - 4.4) < 1e-4 && abs($0.y + 4.4) < 1e-4 })
    }

    /// An overlap of 0.33 is the same face and no good view of it: it changes nothing.
    @Test func poorViewsOnlyGo() {
        #expect(YuNetDecoder.blended([candidate(50, 0.6), candidate(0, 0.9)]) == [candidate(0, 0.9)])
    }

    @Test func neighboursStay() {
        let both = [candidate(0, 0.9), candidate(60, 0.8)]
        #expect(YuNetDecoder.blended(both) == both)
    }

    /// Whatever order candidates come in, and of equal ones the first leads.
    @Test func theOrderOfCandidatesDoesNotMatter() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<200 {
            let all = (0..<12).map { _ in
                candidate(Float.random(in: 0...400, using: &random), Float.random(in: 0.1...1, using: &random))
            }
            let one = YuNetDecoder.blended(all)
            #expect(one == YuNetDecoder.blended(all.shuffled(using: &random)))
            #expect(one.map(\.score) == one.map(\.score).sorted(by: >))
            #expect(one.first?.score == all.map(\.score).max())
        }
    }

    @Test func scoresOfZeroDivideNothing() {
        #expect(YuNetDecoder.blended([candidate(0, 0), candidate(0, 0)]) == [candidate(0, 0)])
        #expect(YuNetDecoder.blended([]) == [])
    }
}
