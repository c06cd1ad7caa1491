// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing
import Tracking

@Suite struct ExplanationTests {
    /// The explanation of the last frame; before it, `good` was seen in five.
    private func explanation(
        _ detections: [Detection], _ configuration: TrackerConfiguration = .object, focus: FocusPolicy = .none,
        at time: Double = 0.5, width: Int = 4000
    ) -> Explanation? {
        var tracker = Tracker(configuration, focus: focus, explains: true)
        for frame in 0..<5 {
            _ = tracker.process([good], frame: .at(Double(frame) / 10, number: frame))
        }
        _ = tracker.process(detections, frame: .at(time, number: 5, width: width))
        return tracker.explanation
    }

    private let good = Detection.object(x: 100, y: 100)

    private func causes(_ detections: [Detection], _ configuration: TrackerConfiguration = .object)
        -> [Explanation.Untracked.Cause]?
    {
        explanation([good] + detections, configuration)?.untracked.map(\.cause)
    }

    @Test func noExplanationIsMadeWithoutARequest() {
        var tracker = Tracker(.object)
        _ = tracker.process([.object(x: 0, y: 0, confidence: 0.01)], frame: .at(0))
        #expect(tracker.explanation == nil)
    }

    @Test func aTrackedDetectionNeedsNoExplanation() {
        #expect(explanation([good])?.isEmpty == true)
    }

    @Test func eachDetectionHasItsCauseInTheExplanation() {
        #expect(causes([.object(x: 900, y: 0, confidence: 0.05)]) == [.belowLow(limit: 0.1)])
        #expect(causes([.object(x: 900, y: 0, confidence: 0.55)]) == [.belowBirth(limit: 0.6)])
        #expect(causes([.object(x: 900, y: 0, confidence: .nan)]) == [.invalid])
        #expect(causes([.object(x: 5000, y: 0)]) == [.invalid])
        #expect(causes([.object(x: 900, y: 0)]) == [.tentative(hits: 1, limit: 2)])
        #expect(causes([.object(x: 900, y: 0, confidence: 0.95)]) == [])
        #expect(causes([.object(x: 100, y: 100, confidence: 0.75)]) == [.suppressed(overlap: 1)])
        var small = TrackerConfiguration.object
        small.capacity = 1
        #expect(causes([.object(x: 900, y: 0)], small) == [.capacity(limit: 1)])
        #expect(
            explanation([good, .object(x: 900, y: 0, confidence: 0.95)], focus: .largest)?.untracked.map(\.cause)
                == [.outOfFocus])
    }

    @Test func boxAndScoreOfAnExplanationAreTheDetectors() {
        let weak = Detection.object(x: 900, y: 10, size: 33, confidence: 0.05)
        let entry = explanation([good, weak])?.untracked.first
        #expect(entry?.box == weak.box && entry?.confidence == 0.05)
    }

    @Test func eachEndOfATrackHasItsRuleInTheExplanation() {
        func rules(_ explanation: Explanation?) -> [Explanation.Ended.Rule]? { explanation?.ended.map(\.rule) }
        #expect(rules(explanation([], .object.frames(0))) == [.maxGapFrames(runs: 1, limit: 0)])
        #expect(rules(explanation([good], at: 0.2)) == [.discontinuity])
        #expect(rules(explanation([good], width: 640)) == [.discontinuity])

        var tracker = Tracker(.object, explains: true)
        _ = tracker.process([good], frame: .at(0))
        _ = tracker.process([good, .object(x: 900, y: 0)], frame: .at(0.5))
        _ = tracker.process([], frame: .at(1))
        #expect(rules(tracker.explanation) == [.hits(hits: 1, limit: 2)])
        #expect(tracker.explanation?.ended.first?.track == nil)
        _ = tracker.process([], frame: .at(1.6))
        #expect(rules(tracker.explanation) == [.maxGap(unseen: 1.1, limit: 1, runs: 2)])
        #expect(tracker.explanation?.ended.first?.track == TrackID(1))
        #expect(tracker.explanation?.ended.first?.box == good.box)

        tracker = Tracker(.barcode, explains: true)
        _ = tracker.process([.barcode("a", x: 0, y: 0)], frame: .at(0))
        _ = tracker.process([.barcode("b", x: 0, y: 0)], frame: .at(0.1))
        #expect(rules(tracker.explanation) == [.payload])

        var small = TrackerConfiguration.object
        small.capacity = 1
        tracker = Tracker(small, explains: true)
        _ = tracker.process([good], frame: .at(0))
        _ = tracker.process([.object(x: 900, y: 0, confidence: 0.95)], frame: .at(0.1))
        #expect(rules(tracker.explanation) == [.capacity(limit: 1)])

        tracker = Tracker(.object, explains: true)
        _ = tracker.process([good, .object(x: 900, y: 0)], frame: .at(0))
        #expect(tracker.requestFocus(on: TrackID(2)) == true)
        _ = tracker.process([good, .object(x: 900, y: 0)], frame: .at(0.1))
        #expect(rules(tracker.explanation) == [.focus])
    }

    @Test func aFrameWithTheLastFramesTimeHasNoExplanation() {
        var tracker = Tracker(.object, explains: true)
        _ = tracker.process([good, .object(x: 900, y: 0, confidence: 0.3)], frame: .at(0))
        #expect(tracker.explanation?.isEmpty == false)
        _ = tracker.process([], frame: .at(0))
        #expect(tracker.explanation?.isEmpty == true)
    }

    @Test func aLongExplanationIsCutAndCounted() {
        var tracker = Tracker(.object, explains: true)
        let many = (0..<2000).map { Detection.object(x: Float($0), y: 0, size: 20, confidence: 0.05) }
        _ = tracker.process(many, frame: .at(0))
        #expect(tracker.explanation?.untracked.count == Explanation.capacity)
        #expect(tracker.explanation?.omitted == 2000 - Explanation.capacity)
    }

    /// Explanations do not change the tracks, and every detection is either reported or has a cause.
    @Test func explanationsDoNotChangeTheTracks() {
        for seed in Fuzz.seeds(100) {
            var scene = RandomScene(seed: seed, isHostile: seed % 2 == 1)
            let configuration = [TrackerConfiguration.object, .face, .barcode][Int(seed % 3)]
            let focus: FocusPolicy = seed % 5 == 0 ? .largest : .none
            var tracker = Tracker(configuration, focus: focus)
            var explainer = Tracker(configuration, focus: focus, explains: true)
            let isFaithful = (0..<30).allSatisfy { _ in
                let (frame, detections) = scene.nextFrame()
                let changes = explainer.process(detections, frame: frame)
                guard changes == tracker.process(detections, frame: frame), let said = explainer.explanation else {
                    return false
                }
                let reported = changes.count { $0.phase == .update }
                let ended = changes.count { if case .completed = $0.phase { true } else { false } }
                return detections.count == reported + said.untracked.count
                    && ended == said.ended.count { $0.track != nil }
            }
            #expect(isFaithful, "seed \(seed)")
        }
    }
}
