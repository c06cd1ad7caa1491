// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import Tracking

/// Tracks in frames that show nothing new.
@Suite struct HoldTests {
    private func held(_ tracker: inout Tracker, _ frame: FrameInfo) -> [TrackChange] {
        var changes: [TrackChange] = []
        tracker.hold(frame, into: &changes)
        return changes
    }

    private func expectRefusal(of frame: FrameInfo, by tracker: inout Tracker) {
        #expect(!tracker.canHold(frame))
        let changes = held(&tracker, frame)
        #expect(changes.isEmpty)
    }

    private func tracker(frames: Int, _ configuration: TrackerConfiguration = .object) -> Tracker {
        var tracker = Tracker(configuration)
        for number in 0..<frames {
            _ = tracker.process([.object(x: 100, y: 100, size: 100, confidence: 0.8)], frame: .at(Double(number) / 10))
        }
        return tracker
    }

    @Test func aHeldTrackIsUpdatedWithoutAnotherHit() throws {
        var tracker = tracker(frames: 5)
        #expect(tracker.canHold(.at(0.5)))
        let changes = held(&tracker, .at(0.5))
        let change = try #require(changes.first)
        #expect(change.phase == .update)
        #expect((change.track.hits, change.track.ageFrames, change.track.missingFrames) == (5, 6, 0))
        #expect(change.track.box == Box(x: 100, y: 100, width: 100, height: 100))
        #expect(change.track.lastSeen == FrameInfo.at(0.5).time)
    }

    @Test func aTrackThatIsHeldForLongIsThereAfterwards() {
        var tracker = tracker(frames: 5)
        for number in 5..<500 {
            let phases = held(&tracker, .at(Double(number) / 10)).map(\.phase)
            #expect(phases == [.update])
        }
        let changes = tracker.process([.object(x: 100, y: 100, size: 100, confidence: 0.8)], frame: .at(50))
        #expect(changes.map(\.phase) == [.update] && changes.map(\.track.id) == [TrackID(1)])
    }

    @Test func heldTracksComeToRest() throws {
        var tracker = Tracker(.object)
        for number in 0..<10 {
            let detection = Detection.object(x: Float(number * 10), y: 100, size: 100, confidence: 0.8)
            _ = tracker.process([detection], frame: .at(Double(number) / 10))
        }
        var speeds: [Float] = []
        for number in 10..<40 {
            let changes = held(&tracker, .at(Double(number) / 10))
            let velocity = try #require(changes.first?.track.velocity)
            speeds.append(abs(velocity.x))
        }
        #expect(speeds[29] < 0.05 * speeds[0])
    }

    @Test func undecidedTracksAreNotHeld() {
        // Tentative.
        var tentative = Tracker(.object)
        _ = tentative.process([], frame: .at(0))
        _ = tentative.process([.object(x: 100, y: 100, size: 100, confidence: 0.8)], frame: .at(0.1))
        expectRefusal(of: .at(0.2), by: &tentative)
        // Missing.
        var missing = tracker(frames: 5)
        _ = missing.process([], frame: .at(0.5))
        expectRefusal(of: .at(0.6), by: &missing)
        // A repetition, a step back in time, a jump ahead.
        var settled = tracker(frames: 5)
        for seconds in [0.4, 0.1, 1000] { expectRefusal(of: .at(seconds), by: &settled) }
        // No frame yet, and no tracking.
        #expect(!Tracker(.object).canHold(.at(0)))
        #expect(!tracker(frames: 5, .object.untracked).canHold(.at(0.5)))
    }

    @Test func anEmptyPictureIsHeldWithoutChanges() {
        var tracker = Tracker(.object)
        _ = tracker.process([], frame: .at(0))
        #expect(tracker.canHold(.at(0.1)))
        let none = held(&tracker, .at(0.1))
        #expect(none.isEmpty && !tracker.canHold(.at(0.1)))
        // The first frame after the start begins tracks at once. Later frames do not.
        let changes = tracker.process([.object(x: 1, y: 1, size: 50, confidence: 0.8)], frame: .at(0.2))
        #expect(changes.isEmpty)
    }
}
