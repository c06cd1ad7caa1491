// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing
import Tracking

/// The prominent object, the limit of reported objects, and the first answers.
@Suite struct ProminenceTests {
    /// Area share times centrality, in a picture of 400 x 300: half its diagonal is 250.
    private static let boxes: [(Box, Float)] = [
        (Box(x: 0, y: 0, width: 400, height: 300), 1),
        (Box(x: 180, y: 140, width: 40, height: 20), 1 / 150),
        // The centres are 150 pixels apart, so that 0.4 is left.
        (Box(x: 20, y: 120, width: 60, height: 60), 0.03 * 0.4),
        // A centre outside of the picture.
        (Box(x: -300, y: -300, width: 100, height: 100), 1 / 12 * 0.001),
    ]

    @Test(arguments: boxes)
    func theFormulaOfProminence(box: Box, prominence: Float) {
        #expect(abs(box.prominence(width: 400, height: 300) - prominence) < 1e-6)
    }

    private static let configuration: TrackerConfiguration = {
        var configuration = TrackerConfiguration.object.hits(1)
        configuration.gap = .frames(limit: 1)
        configuration.marksProminent = true
        return configuration
    }()

    private struct TrackerScript {
        var tracker: Tracker
        private var number = 0

        init(_ configuration: TrackerConfiguration, focus: FocusPolicy = .none) {
            tracker = Tracker(configuration, focus: focus)
        }

        mutating func ask(_ id: UInt64?) -> Bool { tracker.requestFocus(on: id.map { TrackID($0) }) }

        /// The frame's changes: `U2!` is an update of track 2, the prominent one.
        mutating func see(_ detections: Detection...) -> String {
            number += 1
            let frame = FrameInfo.at(Double(number) / 10, number: number)
            return tracker.process(detections, frame: frame).map { change in
                let symbol =
                    switch change.phase {
                    case .detected: "D"
                    case .update: "U"
                    case .missing: "M"
                    case .completed(.focusChanged): "F"
                    case .completed: "C"
                    }
                return "\(symbol)\(change.track.id)\(change.track.object.isProminent ? "!" : "")"
            }.joined(separator: " ")
        }
    }

    /// Both in the middle's height, at the same distance from the middle of a picture of 4000 x 1000.
    private func left(_ size: Float) -> Detection { .object(x: 1500 - size / 2, y: 500 - size / 2, size: size) }
    private func right(_ size: Float) -> Detection { .object(x: 2500 - size / 2, y: 500 - size / 2, size: size) }

    @Test func theProminentMarkMovesToATrackHalfAgainAsProminent() {
        var script = TrackerScript(Self.configuration)
        #expect(script.see(left(200), right(190)) == "D1! U1! D2 U2")
        #expect(script.see(left(200), right(230)) == "U1! U2")
        #expect(script.see(left(200), right(250)) == "U1 U2!")
        #expect(script.see(left(210), right(230)) == "U1 U2!")
    }

    @Test func aMissingObjectKeepsTheProminentMarkUntilItsEnd() {
        var script = TrackerScript(Self.configuration)
        #expect(script.see(left(200), right(190)) == "D1! U1! D2 U2")
        #expect(script.see(right(190)) == "M1! U2")
        #expect(script.see(right(190)) == "C1 U2!")
    }

    @Test func theProminentFocusReportsOnlyTheProminentTrack() {
        var script = TrackerScript(Self.configuration, focus: .prominent)
        #expect(script.see(left(200), right(190)) == "D1! U1!")
        #expect(script.see(left(200), right(230)) == "U1!")
        #expect(script.see(left(200), right(250)) == "F1 D2! U2!")
        #expect(script.see(left(200)) == "M2!")
        #expect(script.see(left(200)) == "C2 D3! U3!")
        #expect(script.ask(3) == true)
        // A request takes precedence over the policy.
        #expect(script.see(left(200), right(400)) == "U3")
        #expect(script.ask(nil) == true)
        #expect(script.see(left(200), right(400)) == "F3 D4! U4!")
    }

    @Test func theReportLimitKeepsTheMostProminentTracks() {
        var configuration = Self.configuration
        configuration.reportLimit = 2
        var script = TrackerScript(configuration)
        let far = Detection.object(x: 100, y: 100, size: 150)
        #expect(script.see(far, left(200), right(190)) == "D1! U1! D2 U2")
        // A reported object stays, however prominent another object becomes. The other object waits.
        #expect(script.see(far, left(200), right(190), .object(x: 1900, y: 400, size: 200)) == "U1! U2")
        #expect(script.see(far, left(200), .object(x: 1900, y: 400, size: 200)) == "M2 U1!")
        #expect(script.see(far, left(200), .object(x: 1900, y: 400, size: 200)) == "C2 D3 U3 U1!")
        #expect(script.see(far, left(200)) == "M3 U1!")
        #expect(script.see(far, left(200)) == "C3 D4 U4 U1!")
    }

    @Test func explanationsNameTheReportLimit() throws {
        var configuration = Self.configuration
        configuration.reportLimit = 1
        var tracker = Tracker(configuration, explains: true)
        _ = tracker.process([left(200), right(100)], frame: .at(0.1, number: 1))
        let explanation = try #require(tracker.explanation)
        #expect(explanation.untracked.map(\.cause) == [.capacity(limit: 1)])
        #expect(explanation.untracked.map(\.box) == [right(100).box])
    }

    @Test func randomScenesNeverExceedTheReportLimit() {
        for seed in Fuzz.seeds(200) {
            var scene = RandomScene(seed: seed, isHostile: seed % 2 == 0)
            var configuration = Self.configuration
            configuration.reportLimit = Int(seed % 4) + 1
            var tracker = Tracker(configuration)
            var live: Set<TrackID> = []
            for _ in 0..<30 {
                let (frame, detections) = scene.nextFrame()
                var prominent = 0
                for change in tracker.process(detections, frame: frame) {
                    switch change.phase {
                    case .detected: live.insert(change.track.id)
                    case .completed: live.remove(change.track.id)
                    case .update, .missing: prominent += change.track.object.isProminent ? 1 : 0
                    }
                }
                #expect(live.count <= configuration.reportLimit ?? 0, "seed \(seed)")
                #expect(prominent <= 1, "seed \(seed)")
            }
        }
    }

    // MARK: First answers

    private func answers(_ labels: [[(Int, Float)]], completeHits: Int) -> [Bool] {
        var configuration = Self.configuration
        configuration.completeHits = completeHits
        var tracker = Tracker(configuration)
        return labels.enumerated().flatMap { number, labels in
            var detection = Detection.object(x: 100, y: 100)
            detection.content = .object(
                ObjectLabels(labels: labels.map { Label(text: "\($0)", index: $0, confidence: $1) }))
            return tracker.process([detection], frame: .at(Double(number) / 10, number: number))
                .filter { $0.phase == .update }.map(\.track.object.isIncomplete)
        }
    }

    @Test func anObjectIsIncompleteUntilItWasDetectedOftenEnough() {
        let sure = [[(1, Float(0.9))], [(1, 0.9)], [(1, 0.9)], [(1, 0.9)]]
        #expect(answers(sure, completeHits: 3) == [true, true, false, false])
        #expect(answers(sure, completeHits: 0) == [false, false, false, false])
    }

    @Test func anObjectIsIncompleteWhileItsClassIsInDoubt() {
        let doubtful = [
            [(1, Float(0.6)), (2, 0.5)], [(2, 0.6), (1, 0.5)], [(1, 0.9), (2, 0.1)], [(1, 0.9)], [(1, 0.9)],
        ]
        #expect(answers(doubtful, completeHits: 2) == [true, true, true, false, false])
        #expect(answers([[], [], []], completeHits: 2) == [true, false, false])
    }

    /// The category belongs to the track's most frequent class.
    @Test func theCategoryOfAnObjectFollowsTheVote() {
        var tracker = Tracker(Self.configuration)
        func see(_ labels: [(String, Int, Float)], _ number: Int) -> ObjectCategory? {
            var detection = Detection.object(x: 100, y: 100)
            detection.content = .object(
                ObjectLabels(
                    labels: labels.map { Label(text: $0, index: $1, confidence: $2) },
                    category: ObjectCategory(label: labels[0].0)))
            let frame = FrameInfo.at(Double(number) / 10, number: number)
            return tracker.process([detection], frame: frame).last?.track.object.category
        }
        #expect(see([("cup", 41, 0.9), ("cake", 55, 0.2)], 1) == .homeGood)
        #expect(see([("cake", 55, 0.6), ("cup", 41, 0.5)], 2) == .homeGood)
        #expect(see([("cake", 55, 0.9), ("cup", 41, 0.1)], 3) == .food)
    }
}

extension Track {
    fileprivate var object: ObjectLabels {
        if case .object(let object) = detection.content { object } else { ObjectLabels() }
    }
}
