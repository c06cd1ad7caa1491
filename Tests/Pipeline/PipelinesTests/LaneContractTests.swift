// SPDX-License-Identifier: Apache-2.0
import Detectors
import EventLines
import Frames
import GlimpseTesting
import Observations
import Pipelines
import Synchronization
import Testing
import Tracking

/// The life of a track for frames that its detector saw and for frames that it did not see.
@Suite struct LaneContractTests {
    private let painter = FramePainter()

    private func events(
        _ frames: ClosedRange<Int>, maximumRate: Double = 0, tracking: TrackerConfiguration = .face,
        explains: Bool = false, complain: @escaping @Sendable (String) -> Void = { _ in },
        script: @escaping ScriptedDetectorFactory.Script
    ) -> RecordingSink {
        let sink = RecordingSink()
        let emitter = EventEmitter(
            pipeline: PipelineIdentity(name: "door"), detectors: ["face"], delivery: .every,
            now: { .epoch }, sink: sink, complain: complain)
        var lane = LaneConfiguration(
            detector: ScriptedDetectorFactory("face", script: script), maximumRate: maximumRate, tracking: tracking)
        lane.plan.explains = explains
        let detectors = MultiDetector([lane], events: emitter)
        for number in frames {
            detectors.receive(painter.frame(number, seconds: Double(number) / 10))
            emitter.flush()
        }
        detectors.completeAll(.endOfStream)
        emitter.flush()
        return sink
    }

    private func types(_ sink: RecordingSink) throws -> [String] {
        try sink.lines.map { line in
            let line = try StreamLine(line)
            return line.type == "completed" ? line.reason ?? "" : line.type
        }
    }

    /// The strictest gap there is; the detector runs on every fifth frame.
    private static var strict: TrackerConfiguration {
        var configuration = TrackerConfiguration.face
        configuration.gap = .frames(limit: 0)
        return configuration
    }

    @Test func framesWithoutADetectorRunAreNotMissedForTracks() throws {
        let sink = events(1...20, maximumRate: 2, tracking: Self.strict) { _ in [.face] }
        #expect(try types(sink) == ["detector", "detected", "update", "update", "update", "update", "end_of_stream"])
        #expect(sink.text.contains(#""age_frames":4,"hits":4,"missing_frames":0"#))
    }

    @Test func framesWithAFailedDetectorRunAreNotMissedForTracks() throws {
        let sink = events(1...9, tracking: Self.strict) { frame throws(DetectorError) in
            if frame.info.sequence % 3 == 2 { throw DetectorError("odd picture") }
            return [.face]
        }
        #expect(
            try types(sink) == ["detector", "detected"] + Array(repeating: "update", count: 6) + ["end_of_stream"])
    }

    /// A detector that is given up sees nothing, so that its tracks end.
    @Test func aDetectorThatIsGivenUpLosesItsTracks() throws {
        let sink = events(1...40) { frame throws(DetectorError) in
            if frame.info.sequence > 3 { throw DetectorError("no memory") }
            return [.face]
        }
        let summaries = try types(sink)
        #expect(summaries.prefix(6) == ["detector", "detected", "update", "update", "update", "detector"])
        #expect(summaries.last == "gone")
        #expect(violation(in: sink.lines) == nil)
    }

    @Test func aLaneAtItsTrackCapacityIsReportedOnceAndCounted() {
        let complaints = Mutex<[String]>([])
        var small = TrackerConfiguration.face
        small.capacity = 1
        let far = Detection(
            box: Box(x: 40, y: 10, width: 20, height: 20), confidence: 0.95, content: .face(Face()))
        // Both objects are in view, then only the second. The second takes the place of the missing first one.
        _ = events(1...6, tracking: small, complain: { line in complaints.withLock { $0.append(line) } }) { frame in
            frame.info.sequence <= 4 ? [.face, far] : [far]
        }
        #expect(complaints.withLock(\.self) == ["face: frame 1: the tracker's capacity is reached"])
    }

    @Test func explanationLinesFollowTheirTrackLines() throws {
        let weak = Detection(
            box: Box(x: 40, y: 10, width: 20, height: 20), confidence: 0.4, content: .face(Face()))
        let script: ScriptedDetectorFactory.Script = { frame in frame.info.sequence <= 2 ? [.face, weak] : [] }
        let sink = events(1...4, tracking: Self.strict, explains: true, script: script)
        #expect(
            try types(sink) == ["detector", "detected", "update", "explain", "update", "explain", "gone", "explain"])
        #expect(violation(in: sink.lines) == nil)
        #expect(try EventSchema.violations(in: sink.lines) == [])
        // Without the explanation lines, the other lines are equal.
        let plain = events(1...4, tracking: Self.strict, script: script)
        #expect(plain.lines == sink.lines.filter { !String(decoding: $0, as: UTF8.self).contains("explain") })
    }
}
