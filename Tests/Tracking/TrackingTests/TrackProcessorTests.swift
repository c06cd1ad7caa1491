// SPDX-License-Identifier: Apache-2.0
import Conformance
import GlimpseTesting
import Observations
import Testing
import Tracking

/// Records every call.
private final class CallRecorder: FeatureTracker {
    final class Log {
        var calls: [String] = []
        var live = 0
    }

    private let log: Log
    private let id: TrackID

    init(_ track: Track, _ log: Log) {
        self.log = log
        id = track.id
        log.live += 1
    }

    deinit { log.live -= 1 }

    func detected(_ track: Track, in results: DetectionResults) { note("D", track, results) }
    func update(_ track: Track, in results: DetectionResults) { note("U", track, results) }
    func missing(_ track: Track, in results: DetectionResults) { note("M", track, results) }

    func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults) {
        note("C(\(reason.rawValue))", track, results)
    }

    private func note(_ call: String, _ track: Track, _ results: DetectionResults) {
        #expect(track.id == id)
        log.calls.append("\(call)\(track.id)@\(results.frame.sequence)\(track.hasFocus ? "*" : "")")
    }
}

@Suite struct TrackProcessorTests {
    private func results(_ detections: [Detection], _ number: Int, at seconds: Double? = nil) -> DetectionResults {
        DetectionResults(
            detector: "face", frame: .at(seconds ?? Double(number) / 10, number: number - 1), detections: detections)
    }

    private let left = Detection.face(x: 100, y: 100)
    private let right = Detection.face(x: 1000, y: 100, size: 200)

    @Test func theProcessorHasOneObjectForEachTrack() {
        let log = CallRecorder.Log()
        var processor = TrackProcessor(.face.frames(1)) { CallRecorder($0, log) }
        processor.receive(results([left, right], 1))
        #expect(log.live == 2)
        processor.receive(results([left], 2))
        processor.receive(results([left], 3))
        #expect(log.live == 1)
        processor.completeAll(.shutdown)
        #expect(log.live == 0)
        #expect(
            log.calls == [
                "D1@1", "U1@1", "D2@1", "U2@1", "M2@2", "U1@2", "C(gone)2@3", "U1@3", "C(shutdown)1@3",
            ])
        processor.completeAll(.shutdown)
        #expect(log.calls.count == 9)
    }

    @Test func completingAProcessorBeforeTheFirstFrameDoesNothing() {
        let log = CallRecorder.Log()
        var processor = TrackProcessor(.face) { CallRecorder($0, log) }
        processor.completeAll(.shutdown)
        #expect(log.calls.isEmpty)
    }

    @Test func theFactoryOfAProcessorMayDeclineATrack() {
        let log = CallRecorder.Log()
        var processor = TrackProcessor(.face) { $0.box.width > 150 ? CallRecorder($0, log) : nil }
        processor.receive(results([left, right], 1))
        processor.receive(results([left], 2))
        processor.completeAll(.endOfStream)
        #expect(log.calls == ["D2@1", "U2@1", "M2@2", "C(end_of_stream)2@2"])
    }

    @Test func aDiscontinuityEndsTracksWithTheFrameBeforeIt() {
        let log = CallRecorder.Log()
        var processor = TrackProcessor(.face) { CallRecorder($0, log) }
        processor.receive(results([left], 1))
        processor.receive(results([left], 2, at: 0))
        #expect(log.calls == ["D1@1", "U1@1", "C(discontinuity)1@1", "D2@2", "U2@2"])
        #expect(log.live == 1)
    }

    // MARK: Focus

    /// The calls for a scene in which everything is seen from the first frame on.
    private func calls(_ policy: FocusPolicy, _ frames: [[Detection]]) -> [String] {
        let log = CallRecorder.Log()
        var processor = TrackProcessor(.face.frames(1), focus: policy) { CallRecorder($0, log) }
        for (index, detections) in frames.enumerated() { processor.receive(results(detections, index + 1)) }
        processor.completeAll(.shutdown)
        #expect(log.live == 0)
        return log.calls
    }

    private func chosen(_ policy: FocusPolicy, _ detections: [Detection]) -> Box? {
        var processor = TrackProcessor(.face, focus: policy) { _ in nil }
        processor.receive(results(detections, 1))
        return processor.focusBox
    }

    @Test func theFocusOnTheLargestIsStickyAndItsLossSelectsAnother() {
        let grown = Detection.face(x: 60, y: 60, size: 180)
        let shrunk = Detection.face(x: 1000, y: 100, size: 170)
        let calls = calls(.largest, [[left, right], [grown, shrunk], [grown], [grown], [grown]])
        #expect(
            calls == [
                "D1@1*", "U1@1*", "U1@2*", "M1@3*", "C(gone)1@4*", "D2@4*", "U2@4*", "U2@5*", "C(shutdown)2@5*",
            ])
    }

    @Test func theCentralFocusIsNearestToTheMiddle() {
        let middle = Detection.face(x: 1950, y: 450, size: 50)
        #expect(calls(.central, [[right, middle, left]]) == ["D1@1*", "U1@1*", "C(shutdown)1@1*"])
        #expect(chosen(.central, [right, middle, left]) == middle.box)
    }

    @Test func theLargestFaceFocusWeighsSizeAndPlace() {
        // A face of twice the area in a corner loses to a face in the middle.
        let middle = Detection.face(x: 1900, y: 400, size: 150)
        let corner = Detection.face(x: 0, y: 0, size: 212)
        #expect(chosen(.largestFace, [corner, middle]) == middle.box)
        #expect(chosen(.largest, [corner, middle]) == corner.box)
        // A much larger face still wins.
        let huge = Detection.face(x: 0, y: 0, size: 900)
        #expect(chosen(.largestFace, [huge, middle]) == huge.box)
    }

    @Test func theValueFocusWaitsForItsPayload() {
        let log = CallRecorder.Log()
        var processor = TrackProcessor(.barcode, focus: .value("b")) { CallRecorder($0, log) }
        processor.receive(results([.barcode("a", x: 0, y: 0)], 1))
        #expect(log.calls.isEmpty)
        #expect(processor.focusBox == nil)
        processor.receive(results([.barcode("a", x: 0, y: 0), .barcode("b", x: 300, y: 0)], 2))
        #expect(log.calls == ["D1@2*", "U1@2*"])
        #expect(processor.focusBox == Box(x: 300, y: 0, width: 60, height: 60))
    }

    @Test func aDiscontinuityFreesTheFocus() {
        let log = CallRecorder.Log()
        var processor = TrackProcessor(.face, focus: .largest) { CallRecorder($0, log) }
        processor.receive(results([left, right], 1))
        processor.receive(results([left], 2, at: 0))
        #expect(log.calls == ["D1@1*", "U1@1*", "C(discontinuity)1@1*", "D2@2*", "U2@2*"])
    }

    @Test(arguments: [FocusPolicy.largestFace, .prominent, .central, .largest, .value("code 1")])
    func tracksFollowTheGrammarUnderAFocus(policy: FocusPolicy) {
        for seed in Fuzz.seeds(100) {
            let log = GrammarLog()
            var scene = RandomScene(seed: seed, isHostile: true)
            var processor = TrackProcessor(.barcode, focus: policy) { _ in log }
            for _ in 0..<30 {
                let (frame, detections) = scene.nextFrame()
                processor.receive(DetectionResults(detector: "", frame: frame, detections: detections))
                log.endFrame()
            }
            processor.completeAll(.shutdown)
            log.endFrame()
            log.grammar.finish()
            #expect(log.grammar.violations.isEmpty, "seed \(seed)")
            #expect(log.mostAtOnce <= 1)
        }
    }
}

/// Feeds the calls of a frame to the grammar.
private final class GrammarLog: FeatureTracker {
    var grammar = LifeCycleGrammar()
    var mostAtOnce = 0
    private var live: Set<UInt64> = []
    private var steps: [(key: LifeCycleGrammar.Key, step: LifeCycleGrammar.Step)] = []

    func endFrame() {
        grammar.frame(steps)
        steps = []
    }

    func detected(_ track: Track, in results: DetectionResults) {
        add(.detected, track)
        live.insert(track.id.number)
        mostAtOnce = max(mostAtOnce, live.count)
    }

    func update(_ track: Track, in results: DetectionResults) { add(.update, track) }
    func missing(_ track: Track, in results: DetectionResults) { add(.missing, track) }

    func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults) {
        add(.completed, track)
        live.remove(track.id.number)
        // A discontinuity's tracks ended with the frame before.
        if reason == .discontinuity { endFrame() }
    }

    private func add(_ step: LifeCycleGrammar.Step, _ track: Track) {
        steps.append((LifeCycleGrammar.Key(id: track.id.number), step))
    }
}
