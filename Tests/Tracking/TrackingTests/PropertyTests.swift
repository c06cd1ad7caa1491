// SPDX-License-Identifier: Apache-2.0
import Conformance
import GlimpseTesting
import Observations
import Testing
import Tracking

// The properties that the tracker's specification lists, and where each is tested. `GLIMPSE_FUZZ_SCALE` multiplies the
// seeds.
//
// filter composition   BoxFilterTests: predictionsOfTheBoxFilterCompose, covarianceOfTheBoxFilterStaysPositive
// dt invariance        BoxFilterTests: velocityOfTheBoxFilterDoesNotDependOnTheFrameRate
//                      MotionTests: samplingChangesNeitherVelocitiesNorIDs
// solver               AssignmentTests
// one-to-one           PropertyTests: tracksFollowTheGrammar (its faults), theOrderOfDetectionsDoesNotChangeTheTracks
// event grammar        PropertyTests: tracksFollowTheGrammar; TrackProcessorTests: tracksFollowTheGrammarUnderAFocus
// gap                  ClockTests: theGapOfATrackIsInSecondsAtAnyFrameRate, aPauseOfTheStreamKeepsTracksThatDidNotMove
//                      LifeCycleTests
// low rate             MotionTests: aTrackFollowsASteadyMotionFromTheFirstStep
// crossing             MotionTests: rightAngledCrossingsKeepTrackIDs, headOnCrossingsKeepTwoTrackIDs
// low-score rescue     EvidenceTests: aScoreThatDipsEndsNoTrack; LifeCycleTests: lowScoresOnlyContinueTracks
// false positive       EvidenceTests: falsePositiveDetectionsAreNeverReported
// duplicates           EvidenceTests: aDuplicateDetectionIsNotATrack
// payload a ... e      EvidenceTests: tracksFollowLabelsThatJump, tracksFollowLabelsThatChangePlaces,
//                      equalLabelsSideBySideKeepTheirTracks, aLabelThatIsReadLaterKeepsItsTrack,
//                      aLabelThatWasAwayTooLongIsANewTrack
// landmarks            EvidenceTests: trackIDsFollowLandmarks; CueTests
// camera shift         MotionTests: trackIDsSurviveAJumpOfTheCamera, aPanIsFollowedWhereTracksAloneWouldBeLost
// clock                ClockTests; PropertyTests: tracksFollowTheGrammar with hostile scenes
// bounds               PropertyTests: theTrackerTakesTenThousandDetectionsInAFrame, impossibleBoxesAreNoDetections,
//                      impossibleScoresAreNoDetections
// accuracy             Benchmarks/mot.py; docs/performance/tracking.md has its table

/// Rules that hold for every tracker and every input.
@Suite struct PropertyTests {
    private static let configurations: [TrackerConfiguration] = [
        .object, .face, .barcode, .erratic, .object.frames(3), .face.frames(0), .barcode.hits(1),
    ]

    @Test(arguments: configurations.indices, [false, true])
    func tracksFollowTheGrammar(configuration: Int, isHostile: Bool) {
        for seed in Fuzz.seeds(150) {
            var scene = RandomScene(seed: seed, isHostile: isHostile)
            var tracker = Tracker(Self.configurations[configuration])
            var grammar = LifeCycleGrammar()
            var faults: [String] = []
            var newest: UInt64 = 0
            for _ in 0..<30 {
                let (frame, detections) = scene.nextFrame()
                let changes = tracker.process(detections, frame: frame)
                // Tracks that a discontinuity ends belong to the frame before.
                let isEnd = { (change: TrackChange) in change.phase == .completed(.discontinuity) }
                grammar.frame(changes.filter(isEnd))
                grammar.frame(changes.filter { !isEnd($0) })
                for change in changes where change.phase == .detected {
                    if change.track.id.number <= newest { faults.append("id \(change.track.id) after \(newest)") }
                    newest = change.track.id.number
                }
                faults += Self.faults(changes, detections)
            }
            grammar.frame(tracker.completeAll(.endOfStream))
            grammar.finish()
            #expect(grammar.violations + faults == [], "seed \(seed)")
        }
    }

    /// One detection to one track, sane numbers, and a box that is the detection's own.
    private static func faults(_ changes: [TrackChange], _ detections: [Detection]) -> [String] {
        var faults: [String] = []
        var seen: [Box: Int] = [:]
        for change in changes {
            let track = change.track
            if !track.box.isValid || !(track.velocity?.isFinite ?? true) { faults.append("\(track.id): poisoned") }
            if track.firstSeen > track.lastSeen || track.hits > track.ageFrames {
                faults.append("\(track.id): miscounted")
            }
            guard change.phase == .update else { continue }
            if track.box != track.detection.box || track.missingFrames != 0 {
                faults.append("\(track.id): not its detection's")
            }
            seen[track.box, default: 0] += 1
        }
        for (box, count) in seen where detections.count(where: { $0.box == box }) < count {
            faults.append("\(count) tracks of the detection at \(box)")
        }
        return faults
    }

    @Test(arguments: configurations.indices)
    func theOrderOfDetectionsDoesNotChangeTheTracks(configuration: Int) {
        for seed in Fuzz.seeds(60) {
            var scene = RandomScene(seed: seed)
            var (tracker, other) = (
                Tracker(Self.configurations[configuration]), Tracker(Self.configurations[configuration])
            )
            let isSame = (0..<30).allSatisfy { _ in
                let (frame, detections) = scene.nextFrame()
                return tracker.process(detections, frame: frame)
                    == other.process(detections.shuffled(using: &scene.random), frame: frame)
            }
            #expect(isSame, "seed \(seed)")
        }
    }

    @Test func detectionsOfEqualBoxesAndScoresHaveAnOrder() {
        let detections: [Detection] = [
            .barcode("a", x: 10, y: 10), .barcode("b", x: 10, y: 10), .barcode("c", x: 10, y: 10),
        ]
        var (tracker, other) = (Tracker(.barcode), Tracker(.barcode))
        #expect(
            tracker.process(detections, frame: .at(0)) == other.process(detections.reversed(), frame: .at(0)))
    }

    @Test(arguments: [
        Box(x: .nan, y: 0, width: 10, height: 10), Box(x: 0, y: 0, width: .infinity, height: 10),
        Box(x: 0, y: 0, width: 0, height: 10), Box(x: 0, y: 0, width: 10, height: -10),
        Box(x: -20, y: 0, width: 10, height: 10), Box(x: 5000, y: 0, width: 10, height: 10),
        Box(x: -3e38, y: -3e38, width: 3e38, height: 3e38), Box(x: 0, y: 0, width: 1e-30, height: 1e-30),
    ])
    func impossibleBoxesAreNoDetections(box: Box) {
        var tracker = Tracker(.object.hits(1))
        let good = Detection.object(x: 0, y: 0)
        var bad = good
        bad.box = box
        #expect(tracker.process([bad, good], frame: .at(0)).map(\.phase) == [.detected, .update])
        #expect(tracker.process([good, bad], frame: .at(0.1)).map(\.phase) == [.update])
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, -1])
    func impossibleScoresAreNoDetections(confidence: Float) {
        var tracker = Tracker(.object)
        #expect(tracker.process([.object(x: 0, y: 0, confidence: confidence)], frame: .at(0)).isEmpty)
    }

    @Test func theTrackerTakesTenThousandDetectionsInAFrame() {
        var random = SeededRandom(seed: 1)
        var tracker = Tracker(.object.hits(1))
        for frame in 0..<2 {
            let detections = (0..<10_000).map { _ in
                Detection.object(
                    x: .random(in: 0...3900, using: &random), y: .random(in: 0...900, using: &random), size: 20)
            }
            let changes = tracker.process(detections, frame: .at(Double(frame) / 10, number: frame))
            #expect(changes.filter { $0.phase == .update }.count <= TrackerConfiguration.object.capacity)
        }
        #expect(tracker.completeAll(.shutdown).count == TrackerConfiguration.object.capacity)
        #expect(tracker.refusedDetections > 9000)
    }

    @Test func theCapacityOfTheTrackerKeepsTheBestDetections() {
        var configuration = TrackerConfiguration.object
        configuration.capacity = 2
        var tracker = Tracker(configuration)
        let detections = [0.75, 0.9, 0.8].enumerated().map {
            Detection.object(x: Float($0.offset) * 300, y: 0, confidence: Float($0.element))
        }
        let tracked = tracker.process(detections, frame: .at(0)).filter { $0.phase == .update }.map(\.track.box.x)
        #expect(tracked == [300, 600])
        #expect(tracker.refusedDetections == 1)
    }
}
