import GlimpseTesting
import Observations
import Testing

@testable import Tracking

@Suite struct BoxFilterTests {
    @Test(arguments: [(0.1, 0.3), (0.033, 0.033), (2, 0.01)])
    func predictionsCompose(first: Double, second: Double) {
        var stepped = BoxFilter.Axis(position: 100, size: 50, noise: 6.25)
        stepped.predict(by: 0.1, size: 50)
        stepped.correct(110, noise: 6.25)
        var whole = stepped
        stepped.predict(by: first, size: 50)
        stepped.predict(by: second, size: 50)
        whole.predict(by: first + second, size: 50)
        #expect(abs(stepped.position - whole.position) < 1e-9)
        #expect(abs(stepped.positionVariance - whole.positionVariance) < 1e-9 * whole.positionVariance)
        #expect(abs(stepped.covariance - whole.covariance) < 1e-9 * whole.covariance)
        #expect(abs(stepped.velocityVariance - whole.velocityVariance) < 1e-9 * whole.velocityVariance)
    }

    @Test func covarianceStaysPositive() {
        var random = SeededRandom(seed: 7)
        var axis = BoxFilter.Axis(position: 0, size: 50, noise: 6.25)
        for _ in 0..<100_000 {
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
    func velocityDoesNotDependOnTheRate(rate: Double) {
        var filter = BoxFilter(Box(x: 0, y: 0, width: 100, height: 100))
        for frame in 1...Int(4 * rate) {
            filter.predict(by: 1 / rate)
            filter.correct(Box(x: 60 * Float(frame) / Float(rate), y: 0, width: 100, height: 100))
        }
        #expect(abs(filter.velocity.x - 60) < 2)
        #expect(abs(filter.velocity.y) < 0.01)
    }
}
