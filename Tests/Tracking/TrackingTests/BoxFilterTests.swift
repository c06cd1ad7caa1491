// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import Tracking

@Suite struct BoxFilterTests {
    @Test func predictionsOfTheBoxFilterCompose() {
        for seed in Fuzz.seeds(2000) {
            var random = SeededRandom(seed: seed)
            let size = Double.random(in: 5...500, using: &random)
            var stepped = BoxFilter.Axis(position: 100, size: size, noise: size * size / 400)
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                stepped.predict(by: .random(in: 0.01...1, using: &random), size: size)
                stepped.correct(.random(in: 0...1000, using: &random), noise: size * size / 400)
            }
            var whole = stepped
            let (first, second) = (Double.random(in: 0...3, using: &random), Double.random(in: 0...3, using: &random))
            stepped.predict(by: first, size: size)
            stepped.predict(by: second, size: size)
            whole.predict(by: first + second, size: size)
            func isSame(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= 1e-9 * max(1, abs(other)) }
            #expect(isSame(stepped.position, whole.position), "seed \(seed)")
            #expect(isSame(stepped.positionVariance, whole.positionVariance), "seed \(seed)")
            #expect(isSame(stepped.covariance, whole.covariance), "seed \(seed)")
            #expect(isSame(stepped.velocityVariance, whole.velocityVariance), "seed \(seed)")
        }
    }

    @Test func covarianceOfTheBoxFilterStaysPositive() {
        var random = SeededRandom(seed: 7)
        var axis = BoxFilter.Axis(position: 0, size: 50, noise: 6.25)
        for _ in Fuzz.rounds(100_000) {
            axis.predict(by: .random(in: 0.001...3, using: &random), size: 50)
            if Bool.random(using: &random) { axis.correct(.random(in: -500...500, using: &random), noise: 6.25) }
            if axis.positionVariance <= 0 || axis.velocityVariance <= 0
                || axis.covariance * axis.covariance > axis.positionVariance * axis.velocityVariance
            {
                Issue.record("not a covariance: \(axis)")
                return
            }
        }
    }

    @Test(arguments: [30.0, 15, 5])
    func velocityOfTheBoxFilterDoesNotDependOnTheFrameRate(rate: Double) {
        var filter = BoxFilter(Box(x: 0, y: 0, width: 100, height: 100))
        for frame in 1...Int(4 * rate) {
            filter.predict(by: 1 / rate)
            filter.correct(Box(x: 60 * Float(frame) / Float(rate), y: 0, width: 100, height: 100))
        }
        #expect(abs(filter.velocity.x - 60) < 2)
        #expect(abs(filter.velocity.y) < 0.01)
    }
}
