// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import Pictures

/// The choice of the frame of a track that is kept, written and reported.
@Suite struct BestShotTests {
    private let interval: Int64 = 500

    @Test func theFirstShotIsTakenAtOnceAndBetterShotsAtIntervals() {
        var shot = BestShot()
        #expect(shot.seen(score: 0.5, at: 0, interval: interval) == .take)
        #expect(shot.seen(score: 0.4, at: 100, interval: interval) == .pass)
        #expect(shot.seen(score: 0.51, at: 200, interval: interval) == .pass)
        #expect(shot.seen(score: 0.6, at: 300, interval: interval) == .keep)
        #expect(shot.seen(score: 0.7, at: 400, interval: interval) == .keep)
        #expect(shot.seen(score: 0.2, at: 500, interval: interval) == .takeKept)
        #expect(shot.missed(at: 600) == .pass)
        #expect(shot.seen(score: 0.8, at: 700, interval: interval) == .keep)
        #expect(shot.missed(at: 800) == .takeKept)
        #expect(shot.seen(score: 0.9, at: 1400, interval: interval) == .take)
    }

    /// With any scores, the score of the newest picture is within 5 % of the best. Two pictures within the interval
    /// come only after a miss.
    @Test(arguments: 0..<50) func theBestShotOfATrackIsTaken(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var shot = BestShot()
        var (best, candidate, taken): (Float, Float?, Float) = (0, nil, 0)
        var times: [Int64] = []
        for frame in 0..<300 {
            let score = Float.random(in: 0...1, using: &random)
            best = max(best, score)
            switch shot.seen(score: score, at: Int64(frame) * 33, interval: interval) {
            case .pass: break
            case .keep: candidate = score
            case .take:
                (taken, candidate) = (score, nil)
                times.append(Int64(frame) * 33)
            case .takeKept:
                taken = candidate ?? -1
                candidate = nil
                times.append(Int64(frame) * 33)
            }
        }
        if shot.missed(at: 10_000) == .takeKept { taken = candidate ?? -1 }
        #expect(taken * BestShot.improvement >= best)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= interval })
    }

    @Test func theScoreOfAShotIsAMeanOfTheKnownQualities() {
        let all = PictureScore.score(sharpness: 150, area: 0.25, euler: .init(x: 0, y: 0), confidence: 0.5)
        #expect(abs(all - (0.4 * 0.5 + 0.2 + 0.2 + 0.2 * 0.5)) < 1e-6)
        let unknown = PictureScore.score(sharpness: 150, area: 0.25)
        #expect(abs(unknown - (0.4 * 0.5 + 0.2) / 0.6) < 1e-6)
        let turned = PictureScore.score(sharpness: 150, area: 0.25, euler: .init(y: 60), confidence: 0.5)
        #expect(abs(all - turned - 0.1) < 1e-6)
        for value: Float in [.nan, .infinity, -1] {
            let score = PictureScore.score(sharpness: value, area: value, euler: .init(x: value), confidence: value)
            #expect((0...1).contains(score), "\(value)")
        }
    }
}
