// SPDX-License-Identifier: Apache-2.0
@testable import Detectors
import GlimpseTesting
import Observations
import Testing

@Suite struct BlendingTests {
    private func candidate(_ x: Float, _ score: Float, point: Float = 0) -> FaceCandidate {
        FaceCandidate(
            box: Box(x: x, y: 0, width: 100, height: 100), score: score,
            points: [5 of Point](repeating: Point(x: point, y: -point)))
    }

    private func blended(_ candidates: [FaceCandidate]) -> [FaceCandidate] {
        var faces = candidates
        faces.blendOverlaps(above: YuNetDecoder.maximumOverlap)
        return faces
    }

    /// Box and score of each.
    private func summary(_ faces: [FaceCandidate]) -> [[Float]] {
        faces.map { [$0.box.x, $0.box.y, $0.box.width, $0.box.height, $0.score] }
    }

    @Test func blendingTakesTheMeanOfAFacesViewsByScore() throws {
        let faces = blended([candidate(10, 0.6, point: 8), candidate(0, 0.9, point: 2)])
        let face = try #require(faces.first)
        #expect(faces.count == 1)
        #expect(face.score == 0.9)
        #expect(abs(face.box.x - 4) < 1e-4)
        #expect(face.box.width == 100)
        for index in face.points.indices {
            #expect(abs(face.points[index].x - 4.4) < 1e-4)
            #expect(abs(face.points[index].y + 4.4) < 1e-4)
        }
    }

    /// A candidate with an overlap of 0.33 is a poor view of this face and does not change the result.
    @Test func blendingDropsPoorViews() {
        #expect(summary(blended([candidate(50, 0.6), candidate(0, 0.9)])) == summary([candidate(0, 0.9)]))
    }

    @Test func blendingKeepsNeighbouringFaces() {
        let both = [candidate(0, 0.9), candidate(60, 0.8)]
        #expect(summary(blended(both)) == summary(both))
    }

    /// Candidates may come in any order. The first of equal ones leads.
    @Test func blendingDoesNotDependOnTheOrderOfCandidates() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<200 {
            let all = (0..<12).map { _ in
                candidate(Float.random(in: 0...400, using: &random), Float.random(in: 0.1...1, using: &random))
            }
            let one = blended(all)
            #expect(summary(one) == summary(blended(all.shuffled(using: &random))))
            #expect(one.map(\.score) == one.map(\.score).sorted(by: >))
            #expect(one.first?.score == all.map(\.score).max())
        }
    }

    @Test func blendingOfZeroScoresDoesNotDivideByZero() {
        #expect(summary(blended([candidate(0, 0), candidate(0, 0)])) == summary([candidate(0, 0)]))
        #expect(blended([]).isEmpty)
    }
}
