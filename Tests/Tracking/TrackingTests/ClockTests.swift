// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing
import Tracking

@Suite struct ClockTests {
    /// Two features, seen in three frames.
    private func tracker(_ configuration: TrackerConfiguration = .object) -> Tracker {
        var tracker = Tracker(configuration)
        for frame in 0..<3 { _ = tracker.process(pair, frame: .at(10 + Double(frame) / 10, number: frame)) }
        return tracker
    }

    private let pair: [Detection] = [.object(x: 0, y: 0), .object(x: 500, y: 0)]

    @Test(arguments: [
        FrameInfo.at(9, number: 4),
        .at(15.3, number: 4),
        .at(20.2, number: 4),
        .at(10.3, number: 4, width: 640),
        .at(10.3, number: 4, height: 480),
    ])
    func aDiscontinuityCompletesAllTracksAndStartsAnew(frame: FrameInfo) {
        var tracker = tracker()
        let changes = tracker.process(pair, frame: frame)
        #expect(changes.map(\.phase).prefix(2) == [.completed(.discontinuity), .completed(.discontinuity)])
        #expect(changes.dropFirst(2).map(\.phase) == [.detected, .update, .detected, .update])
        #expect(changes.map(\.track.id.number) == [1, 2, 3, 3, 4, 4])
    }

    @Test func aNewEpochIsADiscontinuity() {
        var tracker = tracker()
        var frame = FrameInfo.at(10.3, number: 4)
        frame.epoch = 2
        #expect(tracker.process(pair, frame: frame).first?.phase == .completed(.discontinuity))
    }

    @Test func aFrameWithTheLastFramesTimeIsIgnored() {
        var tracker = tracker()
        #expect(tracker.process([], frame: .at(10.2, number: 4)).isEmpty)
        #expect(tracker.process(pair, frame: .at(10.3, number: 5)).map(\.phase) == [.update, .update])
    }

    @Test(arguments: [3.0, 4.9])
    func aPauseOfTheStreamKeepsTracksThatDidNotMove(pause: Double) {
        var tracker = tracker()
        let changes = tracker.process(pair, frame: .at(10.2 + pause, number: 4))
        #expect(changes.map(\.phase) == [.update, .update])
    }

    @Test func theFrameRuleOfTracksHasNoLongestStep() {
        var tracker = tracker(.object.frames(3))
        #expect(tracker.process(pair, frame: .at(100, number: 4)).map(\.phase) == [.update, .update])
    }

    @Test func frameTimesAtTheLimitsOfTheirTypeDoNotTrap() {
        var tracker = tracker()
        for time in [Int64.max, .min, 0, .max, -1] {
            var frame = FrameInfo.at(0)
            frame.presentationTime = time
            frame.time = Timestamp(nanoseconds: time)
            _ = tracker.process(pair, frame: frame)
        }
        #expect(tracker.completeAll(.shutdown).count == 2)
    }

    @Test func aPauseBeforeTheNextDetectorRunEndsNoTrack() {
        var tracker = tracker()
        #expect(tracker.completeAll(.reload).map(\.phase) == [.completed(.reload), .completed(.reload)])
        #expect(tracker.completeAll(.shutdown).isEmpty)
        // The frames after it start anew, however their clock compares with the old one, and ids go on.
        let changes = tracker.process(pair, frame: .at(1))
        #expect(changes.map(\.track.id.number) == [3, 3, 4, 4])
    }

    /// An object is absent for `absence` seconds. The gap rule decides by the frames without the object.
    @Test(arguments: [5.0, 15, 30], [0.4, 0.9, 1.1, 1.6, 2.5])
    func theGapOfATrackIsInSecondsAtAnyFrameRate(rate: Double, absence: Double) {
        for seed in Fuzz.seeds(40) {
            var random = SeededRandom(seed: seed)
            var tracker = Tracker(.object)
            var ids: Set<UInt64> = []
            var lastSeen = 0.0
            var missed = 0
            var isExpected = true
            for number in 0..<Int(rate * 8) {
                // The first second has all frames, so that the track begins. Later a third of the frames is lost.
                let time = Double(number) / rate
                if time > 1, Int.random(in: 0..<3, using: &random) == 0 { continue }
                let isThere = time <= 2 || time > 2 + absence
                let frame = FrameInfo.at(time, number: number)
                let changes = tracker.process(isThere ? [.object(x: 100, y: 100)] : [], frame: frame)
                for change in changes { ids.insert(change.track.id.number) }
                if isThere {
                    lastSeen = frame.seconds
                    missed = 0
                } else {
                    missed += 1
                    if frame.seconds - lastSeen > 1 + 5e-7, missed >= 2 { isExpected = false }
                }
            }
            #expect(ids.count == (isExpected ? 1 : 2), "seed \(seed)")
        }
    }
}
