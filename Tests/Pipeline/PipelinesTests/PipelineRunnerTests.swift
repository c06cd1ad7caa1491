// SPDX-License-Identifier: Apache-2.0
import Detectors
import Dispatch
import EventLines
import Frames
import Glibc
import GlimpseTesting
import Observations
import Pipelines
import Synchronization
import Testing
import Tracking

@Suite struct PipelineRunnerTests {
    private let painter = FramePainter()

    private func frames(_ count: Int) -> [SourceOutput] {
        (1...count).map { .frame(painter.frame($0, seconds: Double($0 - 1) / 10)) }
    }

    private func emitter(
        _ sink: RecordingSink, _ detectors: [String], _ delivery: MultiDetector.Delivery, stages: Bool = false,
        frames: @escaping @Sendable () -> Bool = { false },
        complain: @escaping @Sendable (String) -> Void = { _ in }
    ) -> EventEmitter {
        EventEmitter(
            pipeline: PipelineIdentity(name: "door"), detectors: detectors, delivery: delivery,
            now: { Timestamp(nanoseconds: 1) }, stages: stages,
            frames: frames, sink: sink, complain: complain)
    }

    /// Runs one face detector that sees one face in every frame.
    private func run(
        _ source: ScriptedSource, delivery: MultiDetector.Delivery = .every, stallLimit: Duration = .seconds(60),
        prepare: (PipelineRunner) -> Void = { _ in }
    ) -> (outcome: PipelineRunner.Outcome, sink: RecordingSink) {
        let sink = RecordingSink()
        let events = emitter(sink, ["face"], delivery)
        let detectors = MultiDetector(
            [.init(ScriptedDetectorFactory("face") { _ in [.face] })], events: events)
        let runner = PipelineRunner(stallLimit: stallLimit)
        prepare(runner)
        return (runner.run(source, detectors: detectors, events: events), sink)
    }

    /// Types, with a source's state and a completion's reason.
    private func summaries(_ sink: RecordingSink) throws -> [String] {
        try sink.lines.map { line in
            let line = try StreamLine(line)
            return [line.type, line.type == "source" ? line.state : line.reason].compactMap(\.self).joined(
                separator: " ")
        }
    }

    @Test func aPipelineOfAFileGivesAllEventsOfItsTracks() throws {
        let source = ScriptedSource(frames(2))
        let (outcome, sink) = run(source)
        #expect(outcome == .ended)
        #expect(source.calls == ["start", "stop"])
        #expect(
            try summaries(sink) == [
                "detector", "source connecting", "source connected", "detected", "update", "update",
                "completed end_of_stream", "source ended",
            ])
        #expect(violation(in: sink.lines) == nil)
    }

    /// The rule uses the frames' own numbers. After frames that the source lost, the runner skips no more than
    /// necessary.
    @Test func aPipelineMayProcessEveryThirdFrame() throws {
        let seen = Mutex<[UInt64]>([])
        let detector = ScriptedDetectorFactory("face") { frame in
            seen.withLock { $0.append(frame.info.sequence) }
            return []
        }
        let events = emitter(RecordingSink(), ["face"], .every)
        let detectors = MultiDetector([.init(detector)], events: events)
        let frames = [1, 2, 3, 4, 6, 8, 9, 10, 11].map {
            SourceOutput.frame(painter.frame($0, seconds: Double($0) / 10))
        }
        _ = PipelineRunner(stallLimit: .seconds(60), every: 3).run(
            ScriptedSource(frames), detectors: detectors, events: events)
        #expect(seen.withLock(\.self) == [1, 4, 8, 11])
    }

    @Test func aSourceThatFailsIsLost() throws {
        let error = SourceError(.failed, "the camera went away")
        let (outcome, sink) = run(ScriptedSource(frames(1) + [.failed(error)]))
        #expect(outcome == .failed(error))
        #expect(try summaries(sink).suffix(2) == ["completed source_lost", "source lost"])
        #expect(try StreamLine(sink.lines.last ?? []).error == "the camera went away")
    }

    /// A broken camera's connection may take long to end, and people wait for the word.
    @Test func aSourceIsLostBeforeItStops() throws {
        let sink = RecordingSink()
        let events = emitter(sink, ["face"], .every)
        let detectors = MultiDetector([.init(ScriptedDetectorFactory("face") { _ in [.face] })], events: events)
        var rest = (frames(1) + [.failed(SourceError(.failed, "the camera went away"))])[...]
        var said: [String] = []
        let source = ScriptedSource(willStop: { said = (try? self.summaries(sink)) ?? [] }) {
            rest.popFirst() ?? .ended
        }
        _ = PipelineRunner(stallLimit: .seconds(60)).run(source, detectors: detectors, events: events)
        #expect(said.suffix(2) == ["completed source_lost", "source lost"])
    }

    @Test func aSourceThatCannotStartIsLost() throws {
        let error = SourceError(.missing, "no such file")
        let source = ScriptedSource(failure: error) { .ended }
        let (outcome, sink) = run(source)
        #expect(outcome == .failed(error))
        #expect(source.calls == ["start", "stop"])
        #expect(try summaries(sink) == ["detector", "source connecting", "source lost"])
    }

    @Test(arguments: [CompletionReason.shutdown, .reload])
    func aStopCompletesTracksWithItsReason(reason: CompletionReason) throws {
        let runner = Mutex<PipelineRunner?>(nil)
        var rest = frames(3)[...]
        let source = ScriptedSource {
            if rest.count == 1 { runner.withLock { $0 }?.stop(reason) }
            return rest.popFirst() ?? .nothing
        }
        let (outcome, sink) = run(source) { given in runner.withLock { $0 = given } }
        #expect(outcome == .stopped)
        #expect(try summaries(sink).suffix(2) == ["completed \(reason.rawValue)", "source ended"])
    }

    @Test func aSilentSourceStallsComesBackAndIsLost() throws {
        var rest = frames(2)[...]
        let sink = RecordingSink()
        let events = emitter(sink, ["face"], .newest)
        let detectors = MultiDetector(
            [.init(ScriptedDetectorFactory("face") { _ in [.face] })], events: events)
        let source = ScriptedSource {
            // The second frame comes after the report of the silence that followed the first.
            if rest.count == 2 || sink.text.contains("\"stalled\"") { return rest.popFirst() ?? .nothing }
            return .nothing
        }
        let outcome = PipelineRunner(stallLimit: .milliseconds(200)).run(source, detectors: detectors, events: events)
        guard case .failed(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(error.kind == .failed)
        let states = try summaries(sink).filter { $0.hasPrefix("source") }
        #expect(
            states == [
                "source connecting", "source connected", "source stalled", "source connected", "source stalled",
                "source lost",
            ])
        #expect(violation(in: sink.lines) == nil)
    }

    // MARK: Order

    /// Three lanes with random delays give equal bytes in each run.
    @Test func thePolicyEveryGivesEqualBytesUnderAnySchedule() throws {
        var outputs: Set<String> = []
        for seed in 0..<8 as Range<UInt64> {
            let sink = RecordingSink()
            let names = ["face", "barcode", "object"]
            let events = emitter(sink, names, .every)
            let lanes = names.enumerated().map { index, name in
                LaneConfiguration(
                    ScriptedDetectorFactory(name) { frame in
                        var random = SeededRandom(seed: seed &* 1000 &+ frame.info.sequence &* 10 &+ UInt64(index))
                        for _ in 0..<Int.random(in: 0..<3, using: &random) { sched_yield() }
                        return (Int(frame.info.sequence) + index) % 7 < 4 ? [.face] : []
                    })
            }
            let detectors = MultiDetector(lanes, events: events)
            _ = PipelineRunner(stallLimit: .seconds(60)).run(
                ScriptedSource(frames(60)), detectors: detectors, events: events)
            outputs.insert(sink.text)
            #expect(violation(in: sink.lines) == nil)
        }
        #expect(outputs.count == 1)
        #expect(outputs.first?.contains("completed") == true)
    }

    /// Source lines come from another thread. They must not separate the events of a frame.
    @Test func thePolicyNewestKeepsTheEventsOfAFrameTogether() throws {
        let (held, gate) = (Gate(), Gate())
        let questions = Atomic(Int.min)
        let sink = RecordingSink()
        // After it has looked, the lane asks for explanations, and then for frame lines. There it holds both features'
        // events while the source line is written.
        let events = emitter(
            sink, ["face"], .newest,
            frames: {
                guard questions.add(1, ordering: .sequentiallyConsistent).newValue == 2 else { return false }
                held.open()
                gate.wait()
                return false
            })
        let other = Detection(box: Box(x: 40, y: 10, width: 20, height: 20), confidence: 0.95, content: .face(Face()))
        let factory = ScriptedDetectorFactory("face") { _ in
            questions.store(0, ordering: .sequentiallyConsistent)
            return [.face, other]
        }
        let detectors = MultiDetector([.init(factory)], events: events)
        detectors.receive(painter.frame(1, seconds: 0))
        #expect(held.wait())
        events.sourceChanged(.stalled, frame: nil)
        gate.open()
        detectors.completeAll(.shutdown)
        events.flush()
        #expect(sink.batches.map { $0.map(\.kind.name) }.contains(["detected", "update", "detected", "update"]))
    }

    @Test func stageTimesAreStampedOnRequest() throws {
        for isOn in [true, false] {
            let sink = RecordingSink()
            let events = emitter(sink, ["face"], .every, stages: isOn)
            let detectors = MultiDetector(
                [.init(ScriptedDetectorFactory("face") { _ in [.face] })], events: events)
            _ = PipelineRunner(stallLimit: .seconds(60)).run(
                ScriptedSource(frames(2)), detectors: detectors, events: events)
            for event in sink.events where event.kind == .update {
                #expect((event.stages != nil) == isOn)
                let line = String(decoding: event.line, as: UTF8.self)
                #expect(line.contains(#""stages_us":{"wait":"#) == isOn && line.hasSuffix("}\n"))
                #expect(!String(decoding: event.body, as: UTF8.self).contains("stages_us"))
            }
        }
    }

    @Test func lossesOfAPipelineAreLogged() {
        let complaints = Mutex<[String]>([])
        let sink = RecordingSink()
        let events = emitter(sink, ["face"], .every, complain: { line in complaints.withLock { $0.append(line) } })
        let detectors = MultiDetector(
            [
                .init(
                    ScriptedDetectorFactory("face") { frame throws(DetectorError) in
                        if frame.info.sequence == 2 { throw DetectorError("odd picture") }
                        return []
                    })
            ], events: events)
        _ = PipelineRunner(stallLimit: .seconds(60)).run(
            ScriptedSource(frames(4)), detectors: detectors, events: events)
        #expect(complaints.withLock(\.self) == ["face: frame 2: odd picture", "face: failed on 1 of 4 frames"])
    }
}
