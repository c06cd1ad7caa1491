// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing
import Tracking

@Suite struct LifeCycleTests {
    @Test(arguments: [
        (3, "xx....", "DUMMMC"),
        (0, "xx.", "DUC"),
        (1, "xx..", "DUMC"),
        (3, "xx...xx", "DUMMMUU"),
        (3, "x...x...x....x", "DMMMUMMMUMMMC"),
    ])
    func theMobileVisionRuleOfTracksCountsProcessedFrames(limit: Int, seen: String, life: String) {
        #expect(FrameTable().lives([seen], .object.frames(limit)).first == life)
    }

    @Test func aDetectionAfterCompletionIsANewTrack() {
        #expect(FrameTable().lives(["xx....XX"], .object.frames(3)) == ["DUMMMC", "......DU"])
    }

    @Test func theFrameRuleOfTracksIgnoresTime() {
        #expect(FrameTable(framesPerSecond: 0.1).lives(["xx...x"], .object.frames(3)) == ["DUMMMU"])
    }

    @Test func theTimeRuleOfTracksCountsSeconds() {
        // 10 frames a second, 1 s: the eleventh absent frame is the first beyond it.
        #expect(FrameTable().lives(["xx............"], .object) == ["DU" + String(repeating: "M", count: 10) + "C"])
    }

    @Test func theTimeRuleOfTracksNeedsTwoMissedRuns() {
        #expect(FrameTable(framesPerSecond: 0.5).lives(["xx.x"], .object) == ["DUMU"])
        #expect(FrameTable(framesPerSecond: 0.5).lives(["xx.."], .object) == ["DUMC"])
    }

    @Test func theFirstFramesDetectionsAreTracksAtOnce() {
        #expect(FrameTable().lives(["x"], .object) == ["D"])
    }

    @Test func laterTracksNeedTheirHits() {
        #expect(FrameTable().lives(["..xxx"], .object.hits(2)) == ["...DU"])
        #expect(FrameTable().lives(["..xxxx"], .object.hits(3)) == ["....DU"])
        #expect(FrameTable().lives(["..xxx"], .object.hits(1)) == ["..DUU"])
    }

    @Test func aStrongDetectionNeedsOneHit() {
        #expect(FrameTable().lives(["..XX"], .object) == ["..DU"])
        #expect(FrameTable().lives(["..xX"], .object.hits(5)) == ["...D"])
    }

    @Test func aTentativeTrackThatMissesIsNotReported() {
        #expect(FrameTable().lives(["..x.x.x."], .object).isEmpty)
    }

    @Test func lowScoresOnlyContinueTracks() {
        #expect(FrameTable().lives(["xxwwwwwwwwwwx"], .object) == ["DUwwwwwwwwwwU"])
        #expect(FrameTable().lives(["wwww"], .object).isEmpty)
        // Only a track of the frame before.
        #expect(FrameTable().lives(["xx.w"], .object) == ["DUMM"])
    }

    @Test func everyTrackCompletesAtTheEnd() {
        let lives = FrameTable().lives(["xxxx", "xx..", ".xx."], .object, finish: .shutdown)
        #expect(lives == ["DUUUC", "DUMMC", "..DMC"])
    }

    @Test func trackIDsAscendInTheOrderOfDetected() {
        #expect(FrameTable().lives(["..xx", "xxxx", "XXXX"], .object) == ["DUUU", "DUUU", "...D"])
    }

    @Test func firstSeenOfATrackIsBeforeItsConfirmation() throws {
        var tracker = Tracker(.object)
        _ = tracker.process([], frame: .at(0))
        _ = tracker.process([.object(x: 10, y: 10)], frame: .at(0.1))
        let changes = tracker.process([.object(x: 10, y: 10)], frame: .at(0.2))
        let track = try #require(changes.first?.track)
        #expect(changes.map(\.phase) == [.detected, .update])
        #expect(changes[0].track == changes[1].track)
        #expect(track.firstSeen.nanoseconds == 100_000_000)
        #expect((track.hits, track.ageFrames, track.missingFrames) == (2, 2, 0))
    }

    @Test func aCompletedTrackHasItsLastRealBoxAndAMissingTrackThePrediction() throws {
        var tracker = Tracker(.object.frames(1))
        for frame in 0..<10 {
            _ = tracker.process([.object(x: 10 * Float(frame), y: 10)], frame: .at(Double(frame) / 10, number: frame))
        }
        let missing = try #require(tracker.process([], frame: .at(1)).first)
        #expect(missing.phase == .missing)
        #expect(missing.track.isPredicted)
        #expect(missing.track.box.x > 93)
        #expect((missing.track.missingFrames, missing.track.hits, missing.track.ageFrames) == (1, 10, 11))
        let completed = try #require(tracker.process([], frame: .at(1.1)).first)
        #expect(completed.phase == .completed(.gone))
        #expect(!completed.track.isPredicted)
        #expect(completed.track.box == Box(x: 90, y: 10, width: 100, height: 100))
        #expect(completed.track.lastSeen.nanoseconds == 900_000_000)
    }

    @Test func changesOfTracksInAFrameAreOrdered() {
        var tracker = Tracker(.object.frames(1))
        // Track 1 stays, 2 goes missing now, 3 completes now, and 4 has just begun.
        let (a, b, c, d) = (
            Detection.object(x: 0, y: 0), Detection.object(x: 300, y: 0), Detection.object(x: 600, y: 0),
            Detection.object(x: 900, y: 0, confidence: 0.95)
        )
        _ = tracker.process([a, b, c], frame: .at(0))
        _ = tracker.process([a, b], frame: .at(0.1))
        let changes = tracker.process([d, a], frame: .at(0.2))
        #expect(changes.map(\.phase) == [.completed(.gone), .missing, .detected, .update, .update])
        #expect(changes.map(\.track.id.number) == [3, 2, 4, 4, 1])
    }
}
