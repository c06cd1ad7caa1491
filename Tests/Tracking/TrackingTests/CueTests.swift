// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import Tracking

@Suite struct CueTests {
    private func face(x: Float, eyesAt eyes: Float) -> Detection {
        var detection = Detection.face(x: x, y: 100)
        let points: [(Face.Landmark.Name, Float, Float)] = [
            (.leftEye, eyes + 40, 30), (.rightEye, eyes, 30), (.noseBase, eyes + 20, 50),
        ]
        detection.content = .face(
            Face(landmarks: points.map { Face.Landmark(name: $0, position: Point(x: x + $1, y: 100 + $2)) }))
        return detection
    }

    @Test func idsFollowLandmarksWhereFaceBoxesAreEqual() {
        var tracker = Tracker(.face)
        let first = tracker.process([face(x: 100, eyesAt: 10), face(x: 104, eyesAt: 50)], frame: .at(0))
        let left = first.first { $0.track.box.x == 100 }?.track.id
        // The faces change places by a small distance and keep their landmarks.
        let second = tracker.process([face(x: 104, eyesAt: 10), face(x: 100, eyesAt: 50)], frame: .at(0.1))
        #expect(second.first { $0.track.box.x == 104 }?.track.id == left)
    }

    @Test func aFaceThatTurnsKeepsItsID() {
        var tracker = Tracker(.face)
        _ = tracker.process([face(x: 100, eyesAt: 0)], frame: .at(0))
        #expect(tracker.process([face(x: 100, eyesAt: 60)], frame: .at(0.1)).map(\.phase) == [.update])
    }

    @Test func aTracksClassIsAVoteOverFrames() throws {
        func thing(_ labels: [(Int, Float)]) -> Detection {
            var detection = Detection.object(x: 100, y: 100, confidence: 0.95)
            detection.content = .object(
                ObjectLabels(labels: labels.map { Label(text: "\($0)", index: $0, confidence: $1) }))
            return detection
        }
        var tracker = Tracker(.object)
        _ = tracker.process([thing([(1, 0.9), (2, 0.3)])], frame: .at(0))
        let changes = tracker.process([thing([(2, 0.6), (1, 0.5)])], frame: .at(0.1))
        #expect(changes.map(\.phase) == [.update])
        #expect(changes.first?.track.detection.content.labels.map(\.index) == [1, 2])
        // A detection of a class that the track never had is another object.
        #expect(tracker.process([thing([(3, 0.9)])], frame: .at(0.2)).map(\.phase) == [.missing, .detected, .update])
    }

    /// A network that is not sure of the class any more, or not yet. The proposal continues the track.
    @Test func aProposalWithoutAClassContinuesATrack() throws {
        func thing(_ labels: [(Int, Float)]) -> Detection {
            var detection = Detection.object(x: 100, y: 100, confidence: 0.95)
            detection.content = .object(
                ObjectLabels(labels: labels.map { Label(text: "\($0)", index: $0, confidence: $1) }))
            return detection
        }
        for steps: [[(Int, Float)]] in [[[(1, 0.9)], [], [(1, 0.9)]], [[], [(1, 0.9)], []]] {
            var tracker = Tracker(.object)
            _ = tracker.process([thing(steps[0])], frame: .at(0))
            #expect(tracker.process([thing(steps[1])], frame: .at(0.1)).map(\.phase) == [.update])
            #expect(tracker.process([thing(steps[2])], frame: .at(0.2)).map(\.phase) == [.update])
        }
    }

    @Test func aNewTrackEvictsTheTrackMissingLongest() {
        var configuration = TrackerConfiguration.object
        configuration.capacity = 2
        var tracker = Tracker(configuration)
        let things = (0..<4).map { Detection.object(x: Float($0) * 400, y: 100, confidence: 0.95) }
        _ = tracker.process([things[0], things[1]], frame: .at(0))
        _ = tracker.process([things[1]], frame: .at(0.1))
        let changes = tracker.process([things[2]], frame: .at(0.2))
        #expect(changes.map(\.phase) == [.completed(.evicted), .missing, .detected, .update])
        #expect(changes.map { $0.track.box.x }.first == 0)
        // No track is missing, so a new track must wait.
        _ = tracker.process([things[1], things[2]], frame: .at(0.3))
        #expect(tracker.process(things.suffix(3), frame: .at(0.4)).map(\.phase) == [.update, .update])
        #expect(tracker.refusedDetections == 1)
    }
}
