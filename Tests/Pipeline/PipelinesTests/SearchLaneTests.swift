// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import Detectors
import EventLines
import Frames
import Glibc
import GlimpseTesting
import Observations
import Pipelines
import Search
import Synchronization
import Tapes
import Testing
import Tracking

/// A search session behind a real lane. Its requests are carried out, its lines are an event stream, and its tape gives
/// equal bytes.
@Suite struct SearchLaneTests {
    /// Answers at once, on a separate thread.
    private final class Engine: SearchPerformer {
        let answers = true
        let answer: SearchAnswer
        let asked = Mutex<[SearchQuery]>([])
        let cancelled = Mutex<[String]>([])
        /// Whether the engine never answers.
        let isDeaf: Bool

        init(_ answer: SearchAnswer, isDeaf: Bool = false) {
            (self.answer, self.isDeaf) = (answer, isDeaf)
        }

        func begin(_ query: SearchQuery, in frame: Frame?, report: @escaping @Sendable (SearchReport) -> Void) {
            asked.withLock { $0.append(query) }
            guard !isDeaf else { return }
            let (answer, hasFrame) = (answer, frame != nil)
            _ = LaneThread(name: "engine") {
                if hasFrame { report(.cropped(query: query.id, path: "/state/\(query.id).jpg")) }
                report(.answered(query: query.id, answer))
            }
        }

        func cancel(_ id: String) { cancelled.withLock { $0.append(id) } }
    }

    private let plan: SearchPlan = {
        var configuration = SearchConfiguration()
        configuration.confirmation = 500_000_000
        configuration.resultTime = 1_000_000_000
        configuration.timeout = 2_000_000_000
        return SearchPlan(pipeline: "shelf", configuration: configuration)
    }()

    private struct Outcome {
        var live: RecordingSink
        var replayed: RecordingSink
        var complaints: [String]
    }

    /// Runs frames at ten a second through a lane, records them and replays the tape.
    ///
    /// - Parameter act: called before each frame.
    private func run(
        _ frames: Int, _ engine: Engine?, delivery: MultiDetector.Delivery = .every, plan: SearchPlan? = nil,
        time: (Int) -> Double = { Double($0 - 1) / 10 }, act: (Int, MultiDetector) -> Void = { _, _ in },
        script: @escaping ScriptedDetectorFactory.Script
    ) throws -> Outcome {
        let scope = TestScope()
        let (live, replayed) = (RecordingSink(), RecordingSink())
        let complaints = Mutex<[String]>([])
        let pipeline = PipelineIdentity(name: "shelf")
        var lane = LaneConfiguration(
            detector: ScriptedDetectorFactory("object", kind: .object, script: script), tracking: .object)
        lane.plan.search = plan ?? self.plan
        lane.searchPerformer = engine
        // Zone lines beside the session's lines, in the frame that confirms the object.
        let corners = [Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 1, y: 1), Point(x: 0, y: 1)]
        lane.plan.zones = [Zone(name: "shelf", polygon: corners, dwell: 500_000_000)]
        let tape = scope.path("tape")
        let recorder = try TapeRecorder(
            tape, TapeHeader(clock: delivery.clock, configuration: "", lanes: ["object"])
        ) { Issue.record("\($0)") }
        let emitter = EventEmitter(
            pipeline: pipeline, detectors: ["object"], delivery: delivery, now: { .epoch }, sink: live,
            recorder: recorder, complain: { line in complaints.withLock { $0.append(line) } })
        let detectors = MultiDetector([lane], events: emitter)
        let painter = FramePainter(width: 640, height: 480)
        detectors.waitUntilLoaded()
        for number in 1...frames {
            act(number, detectors)
            detectors.receive(painter.frame(number, seconds: time(number)))
            if delivery == .every {
                emitter.flush()
            } else {
                while detectors.metrics[0][.processed] < number { usleep(200) }
            }
        }
        detectors.completeAll(.endOfStream)
        emitter.flush()
        recorder.finish()
        var reader = try TapeReader(tape)
        var replay = Replay(
            reader.header, plans: [lane.plan], pipeline: pipeline, barcodes: BarcodeReporting(), sink: replayed,
            complain: { _ in })
        while let record = try reader.next() { replay.take(record) }
        #expect(reader.ending == .complete)
        #expect(replayed.text == live.text)
        // The lines follow the schema, as far as the daemon's own check covers it.
        #expect(violation(in: live.lines) == nil)
        return Outcome(live: live, replayed: replayed, complaints: complaints.withLock(\.self))
    }

    private static let cup = Detection(
        box: Box(x: 220, y: 140, width: 200, height: 200), confidence: 0.95,
        content: .object(ObjectLabels(labels: [Label(text: "cup", index: 41, confidence: 0.95)])))

    private func states(_ outcome: Outcome) throws -> [String] {
        try outcome.live.lines.map(StreamLine.init).filter { $0.type == "search" }.compactMap(\.state)
            .reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// The lane waits for a file's search, so the results always belong to the frame that confirmed the object.
    @Test func theSearchSessionOfAFileIsReproducible() throws {
        let engine = Engine(.results([SearchResult(id: "41", title: "a cup", confidence: 0.9, payload: #"{"a":[1]}"#)]))
        let outcome = try run(30, engine) { _ in [Self.cup] }
        #expect(
            try states(outcome) == [
                "detecting", "confirming", "searching", "searched", "detecting", "detected", "not_started",
            ])
        #expect(engine.asked.withLock(\.self).map(\.id) == ["1.1"])
        #expect(engine.asked.withLock(\.self).first?.frame.sequence == 6)
        let again = try run(30, Engine(engine.answer)) { _ in [Self.cup] }
        #expect(again.live.text == outcome.live.text)
        #expect(outcome.live.text.contains(#""crop":"/state/1.1.jpg""#))
        #expect(
            outcome.live.text.contains(
                #""results":[{"id":"41","title":"a cup","confidence":0.9,"payload":{"a":[1]}}]"#))
    }

    /// Without an answer, the file continues too.
    @Test func aSilentSearchEngineIsGivenUp() throws {
        var short = plan
        short.configuration.timeout = 100_000_000
        let engine = Engine(.results([]), isDeaf: true)
        let outcome = try run(10, engine, plan: short) { _ in [Self.cup] }
        #expect(try states(outcome).contains("search_failed") && engine.cancelled.withLock(\.self) == ["1.1"])
    }

    /// With a live source, frames continue while the engine works, and commands come from another thread.
    @Test func aLiveSearchSessionTakesCommands() throws {
        let engine = Engine(.failed(SearchFailure(.network, retryable: true, message: "no route")), isDeaf: true)
        let outcome = try run(
            20, engine, delivery: .newest,
            act: { number, detectors in
                switch number {
                case 10: try? detectors.command(.answer(query: "1.1", engine.answer))
                case 12: try? detectors.command(.retry)
                case 15: try? detectors.command(.dismiss)
                case 16: try? detectors.command(.search)
                default: break
                }
            }, script: { _ in [Self.cup] })
        #expect(
            try states(outcome) == [
                "detecting", "confirming", "searching", "search_failed", "searching", "detecting", "detected",
                "not_started",
            ])
        #expect(engine.asked.withLock(\.self).map(\.id) == ["1.1", "1.2"])
        #expect(engine.cancelled.withLock(\.self) == ["1.2"])
        #expect(outcome.complaints == ["search: search: not in state detected"])
    }

    /// A source repeats a frame. The session ignores the second one, and loses nothing.
    @Test func aRepeatedFrameDoesNotChangeTheSearchSession() throws {
        let engine = Engine(.results([]))
        let outcome = try run(16, engine, time: { Double(($0 - 1) / 2) / 10 }) { _ in [Self.cup] }
        #expect(try states(outcome) == ["detecting", "confirming", "searching", "searched", "not_started"])
        #expect(engine.asked.withLock(\.self).map(\.frame.sequence) == [11])
    }

    /// While no subscriber attends, the session writes no line and sends no query.
    @Test func aSearchSessionDoesNotStartUnattended() throws {
        let engine = Engine(.results([]))
        let outcome = try run(
            20, engine,
            act: { number, detectors in if number == 1 { try? detectors.command(.attend(false)) } },
            script: { _ in [Self.cup] })
        #expect(try states(outcome) == [] && engine.asked.withLock(\.self).isEmpty)
    }

    /// Detector errors, objects that come and go, and every command at any time.
    @Test(arguments: Fuzz.seeds(20)) func aReplayOfASearchEqualsItsRun(seed: UInt64) throws {
        let random = Mutex(SeededRandom(seed: seed))
        let answers: [SearchAnswer] = [
            .results([]), .results([SearchResult(id: "a", title: "A", confidence: 0.9)]),
            .failed(SearchFailure(.engine, retryable: false)),
        ]
        let engine = Engine(answers[Int(seed % 3)])
        let delivery: MultiDetector.Delivery = seed % 2 == 0 ? .every : .newest
        let commands: [SearchCommand] = [
            .search, .dismiss, .retry, .select(TrackID(1)), .attend(false), .attend(true),
            .answer(query: "1.1", answers[1]),
        ]
        _ = try run(
            60, engine, delivery: delivery,
            act: { _, detectors in
                let command = random.withLock { random in
                    Int.random(in: 0..<6, using: &random) == 0 ? commands.randomElement(using: &random) : nil
                }
                if let command { try? detectors.command(command) }
            }
        ) { frame throws(DetectorError) in
            let dice = random.withLock { Int.random(in: 0..<20, using: &$0) }
            if dice == 0 { throw DetectorError("odd picture") }
            return dice < 3 ? [] : [Self.cup]
        }
    }

    @Test func aPipelineWithoutSearchRefusesSearchCommands() {
        let lane = LaneConfiguration(ScriptedDetectorFactory("face") { _ in [] })
        let detectors = MultiDetector([lane], delivery: .every, delegate: RecordingDelegate())
        #expect(throws: SearchCommandError.self) { try detectors.command(.search) }
        // The session refuses more commands between two frames than a person can send.
        var other = lane
        other.plan.search = plan
        let searching = MultiDetector([other], delivery: .every, delegate: RecordingDelegate())
        for _ in 0..<64 { #expect(throws: Never.self) { try searching.command(.dismiss) } }
        #expect(throws: SearchCommandError.self) { try searching.command(.dismiss) }
    }
}
