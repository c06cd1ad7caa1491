// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing
@testable import Workers

@Suite struct WorkerTotalsTests {
    private func meter(_ processed: UInt64, waits: Int = 0) -> WorkerMeter {
        var lane = LaneMetrics(detector: "face", [.processed: processed, .busyTime: 9])
        for _ in 0..<waits { lane.stages.record(.wait, microseconds: 700) }
        var metrics = PipelineMetrics(source: [.received: processed], lanes: [lane])
        metrics.decoding.record(microseconds: 2_000_000)
        var meter = WorkerMeter()
        meter.record(metrics, at: .now)
        return meter
    }

    @Test func countersAddUpAndGaugesDoNot() {
        var totals = WorkerTotals()
        totals.add(meter(3, waits: 2), detectors: ["face"])
        totals.add(meter(4, waits: 1), detectors: ["face"])
        #expect(totals.source[.received] == 7)
        #expect(totals.lanes["face"]?.values == [.processed: 7])
        #expect(totals.lanes["face"]?.stages[.wait].counts[1] == 3)
        #expect(totals.lanes["face"]?.stages[.wait].sum == 2100)
        #expect(totals.decoding.counts.last == 2)
    }

    @Test func countersSaturate() {
        var totals = WorkerTotals()
        totals.add(meter(.max), detectors: ["face"])
        totals.add(meter(.max), detectors: ["face"])
        #expect(totals.source[.received] == .max)
        var histogram = DurationHistogram()
        histogram.record(microseconds: .max, times: 3)
        histogram += histogram
        #expect(histogram.sum == .max && histogram.counts.last == 6)
    }

    @Test func onlyConfiguredDetectorsAreKept() {
        var totals = WorkerTotals()
        totals.add(meter(3), detectors: ["face"])
        totals.add(meter(3), detectors: ["barcode"])
        #expect(Array(totals.lanes.keys) == ["barcode"])
    }

    /// A worker with one lane of this detector restarts for each of the reasons.
    @Test func restartsAreCountedByReason() throws {
        var machine = WorkerStateMachine(
            limits: .init(stop: .seconds(5), backoff: .zero...(.zero), crashes: 100, crashWindow: .seconds(1)))
        let now = ContinuousClock.now
        func restart(_ end: (inout WorkerStateMachine) throws -> Void) rethrows {
            try end(&machine)
            _ = machine.outputClosed(at: now, jitter: 0)
            _ = machine.exited(.signal(6), at: now, jitter: 0)
            _ = machine.timePassed(at: now + .seconds(60), jitter: 0)
        }
        _ = machine.startRequested(at: now)
        restart { _ in }
        restart { $0.sourceReported(.lost) }
        restart { _ = $0.misbehaved("too much memory") }
        try restart { _ = try $0.restartRequested(.shutdown, at: now) }
        #expect(machine.restartCounts == [.crash: 1, .source: 1, .fault: 1, .request: 1])
        #expect(machine.restarts == 3)
    }
}
