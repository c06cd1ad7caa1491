// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import Pipelines

@Suite struct RateLimiterTests {
    private func admitted(_ rate: Double, _ times: [Double]) -> [Double] {
        var limiter = RateLimiter(maximumRate: rate)
        return times.filter { limiter.admits(Int64($0 * 1e9)) }
    }

    @Test func aRateOfZeroIsNoLimit() {
        #expect(admitted(0, [0, 0, 0.001, 0.002]).count == 4)
    }

    @Test(arguments: [30.0, 25, 24, 12, 11])
    func theRateHoldsOnAverageWhateverTheFrameRate(framesPerSecond: Double) {
        let times = (0..<Int(10 * framesPerSecond)).map { Double($0) / framesPerSecond }
        #expect(abs(admitted(10, times).count - 100) <= 1)
    }

    @Test func theRateLimiterPassesSlowSources() {
        let times = (0..<50).map { Double($0) / 5 }
        #expect(admitted(10, times) == times)
    }

    @Test func theRateLimiterDoesNotCatchUpAfterAPause() {
        #expect(admitted(1, [0, 0.5, 5, 5.1, 5.5, 6]) == [0, 5, 6])
    }

    @Test func theRateLimiterRestartsWhenTimeRunsBackwards() {
        #expect(admitted(1, [100, 100.5, 2, 2.5, 2.9, 3, 3.5, 4]) == [100, 2, 3, 4])
    }

    @Test func extremeRatesDoNotTrap() {
        var limiter = RateLimiter(maximumRate: 1e-300)
        for time in [Int64.max, .min, .max] { _ = limiter.admits(time) }
        let admitted = [0, 1, 2].map { limiter.admits($0) }
        #expect(admitted == [true, false, false])
    }
}
