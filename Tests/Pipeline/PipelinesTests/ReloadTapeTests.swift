// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import EventLines
import GlimpseTesting
import Observations
import Pipelines
import Tapes
import Testing
import Tracking

/// A lane's lines also depend on rules and rates that change while the lane runs.
@Suite struct ReloadTapeTests {
    private let scope = TestScope()
    private let header = TapeHeader(clock: .file, configuration: "", lanes: ["face"])

    private static let wait: TrackerConfiguration = {
        var rules = TrackerConfiguration.face
        rules.gap = .time(limit: 3)
        return rules
    }()

    /// A face is absent from the 11th to the 30th of 60 frames, at ten frames a second. The rules change before the 9th
    /// frame, and the rate after the 40th.
    private func live() throws -> (lane: LaneConfiguration, text: String) {
        let sink = RecordingSink()
        let recorder = try TapeRecorder(scope.path("tape"), header) { Issue.record("\($0)") }
        let emitter = EventEmitter(
            pipeline: PipelineIdentity(name: "door"), detectors: ["face"], delivery: .every,
            now: { .epoch }, sink: sink, recorder: recorder)
        let lane = LaneConfiguration(
            detector: ScriptedDetectorFactory("face") { frame in
                guard !(11...30).contains(frame.info.sequence) else { return [] }
                let box = Box(x: 100, y: 100, width: 60, height: 60)
                return [Detection(box: box, confidence: 0.95, content: .face(Face()))]
            }, maximumRate: 5, tracking: .face)
        let detectors = MultiDetector([lane], events: emitter)
        let painter = FramePainter(width: 640, height: 480)
        for number in 1...60 {
            var changed = lane
            changed.plan.tracking = Self.wait
            if number == 9 { detectors.change(changed, replacesDetector: false) }
            changed.plan.maximumRate = 0
            if number == 41 { detectors.change(changed, replacesDetector: false) }
            detectors.receive(painter.frame(number, seconds: Double(number) / 10))
            emitter.flush()
        }
        detectors.completeAll(.endOfStream)
        emitter.flush()
        recorder.finish()
        return (lane, sink.text)
    }

    private func replay(_ lane: LaneConfiguration, followsReloads: Bool) throws -> String {
        let sink = RecordingSink()
        var replay = Replay(
            header, plans: [lane.plan], followsReloads: followsReloads, pipeline: PipelineIdentity(name: "door"),
            barcodes: BarcodeReporting(), sink: sink, complain: { _ in })
        var reader = try TapeReader(scope.path("tape"))
        while let record = try reader.next() { replay.take(record) }
        return sink.text
    }

    private func lines(_ text: String, _ type: String) -> Int {
        text.split(separator: "\n").count { $0.contains(#""type":"\#(type)""#) }
    }

    @Test func aReplayReloadsAtTheFrameOfTheRun() throws {
        let (lane, text) = try live()
        // One track survives two seconds of absence, which the first rules do not allow. The lane runs at five frames a
        // second, then ten.
        #expect(lines(text, "detected") == 1 && lines(text, "update") == 10 + 20)
        #expect(try replay(lane, followsReloads: true) == text)
    }

    /// A replay with other settings does not apply the reload of the old run.
    @Test func settingsGivenToAReplayHoldThroughout() throws {
        let (lane, _) = try live()
        let text = try replay(lane, followsReloads: false)
        #expect(lines(text, "detected") == 2 && lines(text, "update") == 5 + 5 + 10)
    }

    /// Equal settings are not a change. They add no record to the tape and no frame beyond the rate.
    @Test func aReloadWithoutAChangeIsNotOnTheTape() throws {
        let sink = RecordingSink()
        let recorder = try TapeRecorder(scope.path("tape"), header) { Issue.record("\($0)") }
        let emitter = EventEmitter(
            pipeline: PipelineIdentity(name: "door"), detectors: ["face"], delivery: .every,
            now: { .epoch }, sink: sink, recorder: recorder)
        let lane = LaneConfiguration(
            detector: ScriptedDetectorFactory("face") { _ in [] }, maximumRate: 5, tracking: .face)
        let detectors = MultiDetector([lane], events: emitter)
        for number in 1...10 {
            detectors.change(lane, replacesDetector: false)
            detectors.receive(FramePainter().frame(number, seconds: Double(number) / 10))
            emitter.flush()
        }
        recorder.finish()
        var reader = try TapeReader(scope.path("tape"))
        var records = 0
        while let record = try reader.next() {
            if case .lane(_, .results, _) = record { records += 1 }
            if case .lane(_, .rules, _) = record { Issue.record("\(record)") }
        }
        #expect(records == 5)
    }
}
