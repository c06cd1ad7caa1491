// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing
import Workers

@Suite struct StallLimitsTests {
    private let limits = StallLimits(lane: .seconds(2), source: .seconds(20))

    @Test(
        arguments: [
            (0, 0, nil), (2000, 20_000, nil),
            (2001, 0, "its detector barcode has worked on one frame for over 2.0 seconds"),
            (0, 20_001, "its source has not responded for over 20.0 seconds"),
            (.max, .max, "its detector barcode has worked on one frame for over 2.0 seconds"),
        ] as [(UInt64, UInt64, String?)])
    func theHungPartOfAWorkerIsNamed(busy: UInt64, source: UInt64, fault: String?) {
        let metrics = PipelineMetrics(
            source: [.received: 1, .busyTime: source],
            lanes: [
                LaneMetrics(detector: "face", [.processed: 1]),
                LaneMetrics(detector: "barcode", [.processed: 1, .busyTime: busy]),
            ])
        #expect(limits.fault(in: metrics) == fault)
    }
}

@Suite struct RateMeterTests {
    private let start = ContinuousClock.now

    @Test func aSteadyFrameRateIsMeasured() {
        var meter = RateMeter()
        #expect(meter.perSecond == nil)
        for half in 0..<100 as Range<UInt64> { meter.record(half * 5, at: start + .milliseconds(500) * Int(half)) }
        #expect(meter.perSecond == 10)
    }

    @Test func onlyTheNewestSecondsCountForTheFrameRate() {
        var meter = RateMeter()
        for second in 0..<20 as Range<UInt64> {
            meter.record(second < 10 ? 0 : (second - 9) * 7, at: start + .seconds(Int(second)))
        }
        #expect(meter.perSecond == 7)
    }

    @Test func anotherWorkerResetsTheFrameRate() {
        var meter = RateMeter()
        meter.record(1000, at: start)
        meter.record(2000, at: start + .seconds(1))
        meter.record(10, at: start + .seconds(2))
        #expect(meter.perSecond == nil)
        meter.record(20, at: start + .seconds(3))
        #expect(meter.perSecond == 10)
    }
}
