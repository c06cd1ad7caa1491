// SPDX-License-Identifier: Apache-2.0
import Conformance
import GlimpseTesting
import Observations
import Testing
import Tracking

/// The focus on request, on top of a policy. `TrackProcessorTests` has the policies.
@Suite struct FocusTests {
    private let left = Detection.face(x: 100, y: 100)
    private let right = Detection.face(x: 1000, y: 100, size: 200)

    /// The changes of each frame as text: `D2*` is the detection of track 2, with the focus; `<1` says what it was.
    private struct TrackerScript {
        var tracker: Tracker
        private var number = 0

        init(_ policy: FocusPolicy = .none) {
            tracker = Tracker(.face.frames(1), focus: policy)
        }

        mutating func ask(_ id: UInt64?) -> Bool {
            tracker.requestFocus(on: id.map { TrackID($0) })
        }

        mutating func see(_ detections: Detection...) -> String {
            number += 1
            return tracker.process(detections, frame: .at(Double(number) / 10, number: number)).map { change in
                let symbol =
                    switch change.phase {
                    case .detected: "D"
                    case .update: "U"
                    case .missing: "M"
                    case .completed(.focusChanged): "F"
                    case .completed: "C"
                    }
                let previous = change.phase == .detected ? change.track.previous.map { "<\($0.id)" } ?? "" : ""
                return "\(symbol)\(change.track.id)\(change.track.hasFocus ? "*" : "")\(previous)"
            }.joined(separator: " ")
        }
    }

    @Test func aFocusCompletesOtherTracksWhichReturnUnderNewIDs() {
        var script = TrackerScript()
        #expect(script.see(left, right) == "D1 U1 D2 U2")
        #expect(script.ask(2) == true)
        #expect(script.see(left, right) == "F1 U2*")
        #expect(script.see(left, right) == "U2*")
        #expect(script.ask(nil) == true)
        #expect(script.see(left, right) == "D3<1 U3 U2")
        #expect(script.tracker.completeAll(.shutdown).map(\.track.id.number) == [2, 3])
    }

    @Test func aTrackThatReturnsAfterTheFocusIsCertain() {
        var script = TrackerScript()
        _ = script.see(left, right)
        _ = script.ask(2)
        _ = script.see(left, right)
        _ = script.ask(nil)
        let changes = script.tracker.process([left, right], frame: .at(0.3, number: 3))
        #expect(changes.first?.track.previous == PreviousTrack(id: TrackID(1), score: 1))
    }

    @Test func aLostFocusReturnsTheChoiceToThePolicy() {
        var script = TrackerScript()
        _ = script.see(left, right)
        _ = script.ask(2)
        #expect(script.see(left, right) == "F1 U2*")
        #expect(script.see(left) == "M2*")
        #expect(script.see(left) == "C2* D3<1 U3")

        script = TrackerScript(.largest)
        #expect(script.see(left, right) == "D1* U1*")
        // Track 1 is the large face on the right. The other face was never reported, so no request can name it.
        #expect(script.ask(2) == false)
        #expect(script.see(left, right) == "U1*")
        #expect(script.see(left) == "M1*")
        #expect(script.see(left) == "C1* D2* U2*")
        // The large face is back. The choice holds until the policy chooses again.
        #expect(script.see(left, right) == "U2*")
        #expect(script.see(left, right) == "U2*")
        #expect(script.ask(nil) == true)
        #expect(script.see(left, right) == "F2 D3* U3*")
        // The request names the old id.
        #expect(script.ask(2) == true)
        #expect(script.see(left, right) == "F3 D4*<2 U4*")
    }

    @Test func aFocusOnATrackThatIsNotLiveIsRefused() {
        var script = TrackerScript()
        _ = script.see(left)
        _ = script.see()
        _ = script.see()
        #expect(script.ask(1) == false)
        #expect(script.ask(77) == false)
        #expect(script.see(left) == "")
        #expect(script.see(left) == "D2 U2")
    }

    /// A request names a track that is out of focus and not detected. The track begins with a detection, not with a
    /// prediction.
    @Test func noTrackBeginsMissingAfterAFocus() {
        var script = TrackerScript()
        _ = script.see(left, right)
        _ = script.ask(2)
        _ = script.see(left, right)
        _ = script.see(right)
        #expect(script.ask(1) == true)
        #expect(script.tracker.focusBox == nil)
        #expect(script.see(left, right) == "F2 D3*<1 U3*")
    }

    @Test func theFocusBoxIsTheDetectorsUntilTheTrackIsMissing() {
        var script = TrackerScript(.largest)
        #expect(script.tracker.focusBox == nil)
        _ = script.see(left, right)
        #expect(script.tracker.focusBox == right.box)
        _ = script.see(left)
        #expect(script.tracker.focusBox == nil)
        _ = script.see(left, right)
        #expect(script.tracker.focusBox == right.box)
        _ = script.ask(nil)
        #expect(script.tracker.focusBox == nil)
    }

    /// Tracks and ids stay in order with any requests at any time.
    @Test(arguments: [FocusPolicy.none, .largestFace, .prominent, .central, .value("code 1")])
    func tracksFollowTheGrammarUnderFocusRequests(policy: FocusPolicy) {
        for seed in Fuzz.seeds(100) {
            var scene = RandomScene(seed: seed, isHostile: seed % 2 == 1)
            var tracker = Tracker(seed % 3 == 0 ? .barcode : .object.frames(2), focus: policy)
            var grammar = LifeCycleGrammar()
            var newest: UInt64 = 0
            var faults: [String] = []
            for _ in 0..<40 {
                if Int.random(in: 0..<4, using: &scene.random) == 0 {
                    let id = UInt64.random(in: 0...newest + 1, using: &scene.random)
                    _ = tracker.requestFocus(on: id == 0 ? nil : TrackID(id))
                }
                let (frame, detections) = scene.nextFrame()
                let changes = tracker.process(detections, frame: frame)
                let isEnd = { (change: TrackChange) in change.phase == .completed(.discontinuity) }
                grammar.frame(changes.filter(isEnd))
                grammar.frame(changes.filter { !isEnd($0) })
                for change in changes where change.phase == .detected {
                    if change.track.id.number <= newest { faults.append("\(change.track.id) after \(newest)") }
                    newest = change.track.id.number
                }
                if changes.count(where: { $0.phase == .update && $0.track.hasFocus }) > 1 { faults.append("two foci") }
            }
            grammar.frame(tracker.completeAll(.endOfStream))
            grammar.finish()
            #expect(grammar.violations + faults == [], "seed \(seed)")
        }
    }
}
