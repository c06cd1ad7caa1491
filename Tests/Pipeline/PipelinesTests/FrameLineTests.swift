// SPDX-License-Identifier: Apache-2.0
import Detectors
import EventLines
import Frames
import GlimpseTesting
import Observations
import Pipelines
import Synchronization
import Testing

/// The line of each frame that a detector has processed.
@Suite struct FrameLineTests {
    private let painter = FramePainter()
    /// The frames with a face, from the first frame.
    private static let script: [Bool] = [false, true, true, false, true]

    /// - Returns: the lines of a file's frames, a tenth of a second each.
    private func run(_ lanes: [LaneConfiguration], frames: @escaping @Sendable () -> Bool = { true }) -> [EncodedEvent]
    {
        let sink = RecordingSink()
        let emitter = EventEmitter(
            pipeline: PipelineIdentity(name: "door"), detectors: lanes.map(\.detector.name), delivery: .every,
            now: { .epoch }, frames: frames, sink: sink)
        let detectors = MultiDetector(lanes, events: emitter)
        for number in 1...Self.script.count {
            detectors.receive(painter.frame(number, seconds: Double(number) / 10))
            emitter.flush()
        }
        detectors.completeAll(.endOfStream)
        emitter.flush()
        return sink.events
    }

    private func lane(
        _ name: String, _ kind: FeatureKind = .face, maximumRate: Double = 0,
        script: @escaping ScriptedDetectorFactory.Script = { FrameLineTests.faces(in: $0) }
    ) -> LaneConfiguration {
        LaneConfiguration(ScriptedDetectorFactory(name, kind: kind, script: script), maximumRate: maximumRate)
    }

    private static func faces(in frame: Frame) -> [Detection] {
        script[Int(frame.info.sequence) - 1] ? [.face] : []
    }

    /// `SEQ detector count/in_view/missing` of a frame line, the type of another.
    private func words(_ events: [EncodedEvent]) throws -> [String] {
        try events.filter { $0.kind != .detector }.map { event in
            let line = try StreamLine(event.line)
            guard line.type == "frame" else { return line.type }
            let counts = try #require(line.text.firstMatch(of: /"count":(\d+),"in_view":(\d+),"missing":(\d+)}/)).output
            return "\(line.frame?.seq ?? 0) \(event.detector) \(counts.1)/\(counts.2)/\(counts.3)"
        }
    }

    @Test func eachFrameOfAFileEndsWithTheDetectorsFrameLine() throws {
        let events = run([lane("face")])
        #expect(
            try words(events) == [
                "1 face 0/0/0", "detected", "update", "2 face 1/1/0", "update", "3 face 1/1/0", "missing",
                "4 face 0/0/1",
                "update", "5 face 1/1/0", "completed",
            ])
        #expect(violation(in: events.map(\.line)) == nil)
        #expect(run([lane("face")]) == events)
    }

    @Test func framesThatADetectorDidNotProcessHaveNoFrameLine() throws {
        let failing = lane("fails") { frame throws(DetectorError) in
            if frame.info.sequence == 3 { throw DetectorError("broken") }
            return []
        }
        let events = run([failing, lane("rare", maximumRate: 5)])
        let frames = try events.filter { $0.kind == .frame }.map { try #require(StreamLine($0.line).frame).seq }
        #expect(frames == [1, 1, 2, 3, 4, 4, 5, 5] || frames == [1, 1, 2, 3, 4, 5, 5], "\(frames)")
        func of(_ detector: String) throws -> [UInt64] {
            try events.filter { $0.kind == .frame && $0.detector == detector }.map {
                try #require(StreamLine($0.line).frame).seq
            }
        }
        #expect(try of("fails") == [1, 2, 4, 5])
        #expect(try of("rare") == [1, 3, 5])
        #expect(violation(in: events.map(\.line)) == nil)
    }

    @Test func frameLinesAreWrittenWhileASubscriberRequestsThem() throws {
        #expect(run([lane("face")], frames: { false }).allSatisfy { $0.kind != .frame })
        let newest = Mutex<UInt64>(0)
        let face = lane("face") { frame throws(DetectorError) in
            newest.withLock { $0 = frame.info.sequence }
            return []
        }
        let third = run([face], frames: { newest.withLock { $0 == 3 } })
        #expect(try words(third.filter { $0.kind == .frame }) == ["3 face 0/0/0"])
    }
}
