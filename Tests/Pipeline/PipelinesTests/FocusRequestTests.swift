// SPDX-License-Identifier: Apache-2.0
import Detectors
import Dispatch
import EventLines
import Frames
import GlimpseTesting
import Observations
import Pipelines
import Synchronization
import Testing
import Tracking

/// The focus on request while the pipeline runs.
@Suite struct FocusRequestTests {
    private let painter = FramePainter()
    private static let other = Detection(
        box: Box(x: 40, y: 10, width: 20, height: 20), confidence: 0.95, content: .face(Face()))

    private func frame(_ number: Int) -> Frame { painter.frame(number, seconds: Double(number) / 10) }

    private func detectors(
        _ delegate: any MultiDetectorDelegate, focusChanged: @escaping @Sendable (Box?) -> Void = { _ in }
    ) -> MultiDetector {
        MultiDetector(
            [.init(.init("face", focusChanged: focusChanged) { _ in [.face, Self.other] })], delivery: .every,
            delegate: delegate)
    }

    @Test func aFocusRequestTakesEffectAtTheNextFrame() throws {
        let delegate = RecordingDelegate()
        let boxes = Mutex<[Box?]>([])
        let detectors = detectors(delegate) { box in boxes.withLock { $0.append(box) } }
        detectors.receive(frame(1))
        try detectors.requestFocus(detector: "face", on: TrackID(2))
        detectors.receive(frame(2))
        detectors.receive(frame(3))
        try detectors.requestFocus(detector: "face", on: nil)
        detectors.receive(frame(4))
        detectors.completeAll(.shutdown)
        #expect(
            delegate.record.calls == [
                "face D1", "face D2", "face C1 focus_changed", "face D3", "face C2 shutdown", "face C3 shutdown",
            ])
        // The detector receives the focus before the frame, and loses it with the request.
        #expect(boxes.withLock(\.self) == [Self.other.box, nil])
    }

    @Test func theNewestFocusRequestCounts() throws {
        let delegate = RecordingDelegate()
        let detectors = detectors(delegate)
        detectors.receive(frame(1))
        try detectors.requestFocus(detector: "face", on: TrackID(1))
        try detectors.requestFocus(detector: "face", on: TrackID(2))
        detectors.receive(frame(2))
        detectors.completeAll(.shutdown)
        #expect(
            delegate.record.calls == ["face D1", "face D2", "face C1 focus_changed", "face C2 shutdown"])
    }

    @Test func aFocusRequestForAnUnknownDetectorIsRefused() {
        let detectors = detectors(RecordingDelegate())
        #expect(throws: FocusRequestError(#"unknown detector "faces"; the detectors are: face"#)) {
            try detectors.requestFocus(detector: "faces", on: nil)
        }
    }

    @Test func aFocusRequestForATrackThatIsNotLiveIsRefused() throws {
        let complaints = Mutex<[String]>([])
        let emitter = EventEmitter(
            pipeline: PipelineIdentity(name: "door"), detectors: ["face"], delivery: .every,
            now: { .epoch }, sink: RecordingSink(), complain: { line in complaints.withLock { $0.append(line) } })
        let detectors = MultiDetector([.init(.init("face") { _ in [.face, Self.other] })], events: emitter)
        detectors.receive(frame(1))
        try detectors.requestFocus(detector: "face", on: TrackID(7))
        detectors.receive(frame(2))
        #expect(complaints.withLock(\.self) == ["face: cannot focus on track 7: the track is not live"])
    }

    /// Requests from another thread while frames are processed. Every track has a complete life with any schedule of
    /// requests.
    @Test func focusRequestsMayComeFromAnyThread() throws {
        let sink = RecordingSink()
        let emitter = EventEmitter(
            pipeline: PipelineIdentity(name: "door"), detectors: ["face"], delivery: .newest,
            now: { .epoch }, sink: sink)
        let detectors = MultiDetector([.init(.init("face") { _ in [.face, Self.other] })], events: emitter)
        let asked = DispatchGroup()
        DispatchQueue.global().async(group: asked) {
            var random = SeededRandom(seed: 1)
            for _ in 0..<2000 {
                let id = UInt64.random(in: 0...20, using: &random)
                try? detectors.requestFocus(detector: "face", on: id == 0 ? nil : TrackID(id))
            }
        }
        for number in 1...500 { detectors.receive(frame(number)) }
        asked.wait()
        detectors.completeAll(.shutdown)
        emitter.flush()
        #expect(violation(in: sink.lines) == nil)
        #expect(!sink.lines.isEmpty)
    }
}
