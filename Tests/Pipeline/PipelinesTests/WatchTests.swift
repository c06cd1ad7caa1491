import LogSupport
import Testing

@testable import Pipelines

@Suite struct DetectorHealthTests {
    @Test func fiveFailuresInARowAreADetectorFault() {
        var health = DetectorHealth()
        let first = (0..<4).map { _ in health.failed(at: 1) }
        health.succeeded()
        let second = (0..<5).map { health.failed(at: 2 + Double($0) / 4) }
        #expect(first + second == Array(repeating: .goOn, count: 8) + [.giveUp])
        #expect(!health.mayRetry(at: 32.9))
        #expect(health.mayRetry(at: 33))
    }

    @Test func aClockThatRunsBackwardsDoesNotPreventADetectorRetry() {
        var health = DetectorHealth()
        health.failedToLoad(at: 1000)
        #expect(health.mayRetry(at: 0))
    }

    @Test func aDetectorThatCannotLoadIsReportedOnce() {
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

    @Test func aSilentSourceIsStalledOnceThenLost() {
        var watch = StallWatch(limit: .seconds(5), now: start)
        let verdicts = [5, 6, 7, 10, 11].map { watch.check(start + .seconds($0)) }
        #expect(verdicts == [.fine, .stalled, .fine, .fine, .lost])
    }

    @Test func aFrameEndsTheStallOfASource() {
        var watch = StallWatch(limit: .seconds(5), now: start)
        let before = watch.check(start + .seconds(6))
        #expect(watch.isStalled)
        watch.frameArrived(start + .seconds(7))
        #expect(!watch.isStalled)
        let after = [12, 13].map { watch.check(start + .seconds($0)) }
        #expect([before] + after == [.stalled, .fine, .stalled])
    }
}

@Suite struct ComplaintLimiterTests {
    @Test func theFirstComplaintIsReportedAtOnceAndLaterOnesOnceASecond() {
        let start = ContinuousClock.now
        var limiter = ComplaintLimiter()
        let told = (0..<25).filter { limiter.count(at: start + .milliseconds(100 * $0)) }
        #expect(told == [0, 10, 20])
        #expect(limiter.total == 25)
    }
}
