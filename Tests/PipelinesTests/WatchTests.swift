import Telemetry
import Testing

@testable import Pipelines

@Suite struct DetectorHealthTests {
    @Test func fiveFailuresInARowAreTheDetectors() {
        var health = DetectorHealth()
        for _ in 0..<4 { #expect(health.failed(at: 1) == .goOn) }
        health.succeeded()
        for _ in 0..<4 { #expect(health.failed(at: 2) == .goOn) }
        #expect(health.failed(at: 3) == .giveUp)
        #expect(!health.mayRetry(at: 32.9))
        #expect(health.mayRetry(at: 33))
    }

    @Test func clocksThatRunBackwardsDoNotForbidARetryForever() {
        var health = DetectorHealth()
        health.failedToLoad(at: 1000)
        #expect(health.mayRetry(at: 0))
    }

    @Test func inabilityToLoadIsToldOnce() {
        var health = DetectorHealth()
        #expect(health.isFirstReport)
        health.failedToLoad(at: 0)
        #expect(!health.isFirstReport)
        health.succeeded()
        #expect(health.isFirstReport)
    }
}

@Suite struct StallWatchTests {
    private let start = ContinuousClock.now

    @Test func stalledOnceThenLost() {
        var watch = StallWatch(limit: .seconds(5), now: start)
        #expect(watch.check(start + .seconds(5)) == .fine)
        #expect(watch.check(start + .seconds(6)) == .stalled)
        #expect(watch.isStalled)
        #expect(watch.check(start + .seconds(7)) == .fine)
        #expect(watch.check(start + .seconds(10)) == .fine)
        #expect(watch.check(start + .seconds(11)) == .lost)
    }

    @Test func aFrameEndsTheStall() {
        var watch = StallWatch(limit: .seconds(5), now: start)
        #expect(watch.check(start + .seconds(6)) == .stalled)
        watch.frameArrived(start + .seconds(7))
        #expect(!watch.isStalled)
        #expect(watch.check(start + .seconds(12)) == .fine)
        #expect(watch.check(start + .seconds(13)) == .stalled)
    }
}

@Suite struct ComplaintLimiterTests {
    @Test func theFirstIsToldAtOnceAndLaterOnesOnceASecond() {
        let start = ContinuousClock.now
        var limiter = ComplaintLimiter()
        let told = (0..<25).filter { limiter.count(at: start + .milliseconds(100 * $0)) }
        #expect(told == [0, 10, 20])
        #expect(limiter.total == 25)
    }
}
