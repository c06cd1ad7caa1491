// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Observations
import Testing
import Tracking

@testable import Pipelines

/// The times that a lane and a run report.
@Suite struct LaneMeterTests {
    @Test(
        arguments: [
            ([], 0, 0, 0), ([7], 7, 7, 7), (Array(1...100), 50, 95, 100), (Array((1...20).reversed()), 10, 19, 20),
            // Only the newest 256 count.
            (Array(repeating: 1000, count: 100) + Array(1...256), 128, 244, 256),
        ] as [([Int], Int, Int, Int)])
    func percentilesOfLaneTimes(milliseconds: [Int], median: Int, percentile95: Int, longest: Int) {
        var window = DurationWindow()
        for duration in milliseconds { window.append(.milliseconds(duration)) }
        let wanted = [median, percentile95, longest].map { UInt64($0) * 1000 }
        #expect([window.summary.median, window.summary.percentile95, window.summary.longest] == wanted)
    }

    @Test func aHungLaneReportsForHowLong() async {
        let painter = FramePainter()
        let (gate, held) = (Gate(), Gate())
        let detectors = MultiDetector(
            [
                .init(
                    .init("face") { _ in
                        held.open()
                        gate.wait()
                        return []
                    })
            ], delivery: .newest, delegate: RecordingDelegate())
        #expect(detectors.metrics[0] == LaneMetrics(detector: "face"))
        detectors.receive(painter.frame(1, seconds: 0))
        #expect(held.wait())
        let first = detectors.metrics[0][.busyTime]
        #expect(await holds { detectors.metrics[0][.busyTime] > first })
        gate.open()
        detectors.completeAll(.shutdown)
        let metrics = detectors.metrics[0]
        #expect(metrics[.processed] == 1 && metrics[.busyTime] == 0)
        #expect(metrics[.latencyMedian] >= 1000 * first && metrics[.latencyMedian] >= metrics[.waitMedian])
    }

    @Test func framesOverTheRateOfALaneAreCountedApart() {
        let painter = FramePainter()
        let detectors = MultiDetector(
            [.init(.init("face") { _ in [] }, maximumRate: 2)], delivery: .every, delegate: RecordingDelegate())
        for number in 1...20 { detectors.receive(painter.frame(number, seconds: Double(number - 1) / 10)) }
        #expect(detectors.metrics[0][.processed] == 4 && detectors.metrics[0][.rateDrops] == 16)
    }

    @Test func aHungSourceIsReported() async {
        let (gate, held) = (Gate(), Gate())
        let runner = PipelineRunner(stallLimit: .seconds(60))
        #expect(runner.turnAge == nil)
        let run = Task.detached {
            let source = ScriptedSource {
                held.open()
                gate.wait()
                return .ended
            }
            let events = EventEmitter(
                pipeline: .init(name: "door"), detectors: ["face"], delivery: .newest,
                now: { .epoch }, sink: RecordingSink(), complain: { _ in })
            let detectors = MultiDetector([.init(.init("face") { _ in [] })], events: events)
            return runner.run(source, detectors: detectors, events: events)
        }
        #expect(held.wait())
        let first = runner.turnAge ?? .zero
        #expect(await holds { (runner.turnAge ?? .zero) > first + .milliseconds(1) })
        gate.open()
        #expect(await run.value == .ended)
        #expect(runner.turnAge == nil)
    }
}
