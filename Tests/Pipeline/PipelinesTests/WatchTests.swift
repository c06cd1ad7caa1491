// SPDX-License-Identifier: Apache-2.0
import LogSupport
import Testing

@testable import Pipelines

@Suite struct DetectorHealthTests {
    @Test func fiveFailuresInARowAreADetectorFault() {
        var health = DetectorHealth()
        let first = (0..<4).map { _ in health.failed(at: 1) }
        health.detected(at: 1)
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
        health.loaded()
        #expect(health.isFirstReport)
    }

    @Test func aDetectorThatEndsIsTriedAgainAfterASecondThenEverMoreRarely() {
        var health = DetectorHealth()
        var time = 0.0
        var waits: [Double] = []
        for _ in 0..<8 {
            #expect(health.failed(at: time, isEnd: true) == .giveUp)
            let end = time
            while !health.mayRetry(at: time) { time += 0.5 }
            waits.append(time - end)
            health.loaded()
        }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30, 30])
        // After a minute of work it begins again.
        health.detected(at: time + 20)
        #expect(health.failed(at: time + 20, isEnd: true) == .giveUp)
        #expect(!health.mayRetry(at: time + 49))
        health.loaded()
        health.detected(at: time + 130)
        #expect(health.failed(at: time + 130, isEnd: true) == .giveUp)
        #expect(health.mayRetry(at: time + 131))
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
        #expect(watch.takeStall() && !watch.takeStall())
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
