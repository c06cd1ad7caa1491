import Frames
import GlimpseTesting
import Observations
import Testing
import Tracking

@testable import Pipelines

/// The times that a lane and a run report.
@Suite struct LaneTimesTests {
    @Test(
        arguments: [
            ([], 0, 0, 0), ([7], 7, 7, 7), (Array(1...100), 50, 95, 100), (Array((1...20).reversed()), 10, 19, 20),
            // Only the newest 256 count.
            (Array(repeating: 1000, count: 100) + Array(1...256), 128, 244, 256),
        ] as [([Int], Int, Int, Int)])
    func percentilesOfLaneTimes(milliseconds: [Int], median: Int, percentile95: Int, longest: Int) {
        var window = DurationWindow()
        for duration in milliseconds { window.append(.milliseconds(duration)) }
        #expect(window.summary.median == .milliseconds(median))
        #expect(window.summary.percentile95 == .milliseconds(percentile95))
        #expect(window.summary.longest == .milliseconds(longest))
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
        #expect(detectors.times[0].busy == nil && detectors.times[0].total == .init())
        detectors.receive(painter.frame(1, seconds: 0))
        #expect(held.wait())
        let first = detectors.times[0].busy ?? .zero
        #expect(await holds { (detectors.times[0].busy ?? .zero) > first })
        gate.open()
        detectors.completeAll(.shutdown)
        let times = detectors.times[0]
        #expect(times.detector == "face" && times.busy == nil)
        #expect(times.total.median >= first && times.total.median >= times.wait.median)
    }

    @Test func framesOverTheRateOfALaneAreCountedApart() {
        let painter = FramePainter()
        let detectors = MultiDetector(
            [.init(.init("face") { _ in [] }, maximumRate: 2)], delivery: .every, delegate: RecordingDelegate())
        for number in 1...20 { detectors.receive(painter.frame(number, seconds: Double(number - 1) / 10)) }
        #expect(detectors.counts == [LaneCounts(detector: "face", processed: 4, skipped: 16)])
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
