// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing
import Tracking

/// The earlier track that a new track names.
@Suite struct ReentryTests {
    /// Shows `first` for a second, nothing until it is given up and `away` seconds are over, then `second`; the
    /// pictures are 4000x1000.
    private func previous(
        _ first: [Detection], away: Double = 3, _ second: [Detection], _ configuration: TrackerConfiguration = .barcode
    ) -> [UInt64: PreviousTrack?] {
        var tracker = Tracker(configuration)
        var number = 0
        var found: [UInt64: PreviousTrack?] = [:]
        for frame in 0..<Int(((2 + away) * 10).rounded()) {
            number += 1
            let time = Double(frame) / 10
            let seen = time <= 1 ? first : time < 1 + away - 1e-9 ? [] : second
            for change in tracker.process(seen, frame: .at(time, number: number)) where change.phase == .detected {
                found[change.track.id.number] = .some(change.track.previous)
            }
        }
        return found
    }

    private let code = Detection.barcode("a", x: 1000, y: 300)

    @Test func aPayloadThatReturnsAnywhereNamesItsPreviousTrack() throws {
        for x in [1000, 3500] as [Float] {
            let found = previous([code], [.barcode("a", x: x, y: 300)])
            #expect(found.keys.sorted() == [1, 2] && found[1] == .some(nil))
            let told = try #require(found[2] ?? nil)
            #expect(told.id == TrackID(1))
            // 1 - 3 / 20.
            #expect(abs(told.score - 0.85) < 0.001)
        }
    }

    @Test func anotherPayloadHasNoPreviousTrack() {
        #expect(previous([code], [.barcode("b", x: 1000, y: 300)])[2] == .some(nil))
    }

    /// Place, size and time do not identify a returning object: `docs/performance/tracking.md`, "Who comes back".
    @Test func reentryDoesNotRecogniseFacesAndObjectsByTheirPlace() {
        let face = Detection.face(x: 1000, y: 300, eyes: (30, 70))
        #expect(previous([face], [face], .face)[2] == .some(nil))
        let object = Detection.object(x: 1000, y: 300, label: 1, text: "car")
        #expect(previous([object], [object], .object)[2] == .some(nil))
        // A symbol that was never read is a place too.
        let unread = Detection.barcode(nil, x: 1000, y: 300)
        #expect(previous([unread], [unread])[2] == .some(nil))
    }

    @Test func aReturningSceneLabelNamesItsPreviousTrack() {
        func scene(_ index: Int) -> Detection {
            Detection(
                box: Box(x: 0, y: 0, width: 4000, height: 1000), confidence: 0.9,
                content: .scene(SceneLabels(labels: [Label(text: "\(index)", index: index, confidence: 0.9)])))
        }
        #expect((previous([scene(7)], [scene(7)], .scene)[2] ?? nil)?.id == TrackID(1))
        #expect(previous([scene(7)], [scene(9)], .scene)[2] == .some(nil))
    }

    @Test(arguments: [(5.0, 4.5, true), (5, 5.5, false), (0, 3, false)])
    func reentryIsBoundedInTime(limit: Double, away: Double, isTold: Bool) {
        var configuration = TrackerConfiguration.barcode
        configuration.reentry = limit
        #expect((previous([code], away: away, [code], configuration)[2] != .some(nil)) == isTold)
    }

    @Test func eachPreviousTrackIsContinuedOnceByTheNearest() {
        let (left, right) = (code, Detection.barcode("a", x: 1600, y: 300))
        let found = previous([left], [left, right])
        #expect([found[2] ?? nil, found[3] ?? nil].compactMap { $0?.id } == [TrackID(1)])
        let both = previous([left, right], [right, left])
        #expect((both[3] ?? nil)?.id == TrackID(1) && (both[4] ?? nil)?.id == TrackID(2))
    }

    @Test func allLinesOfATrackNameThePreviousTrack() {
        var tracker = Tracker(.barcode.frames(0))
        _ = tracker.process([code], frame: .at(0))
        // The distance is too far for a step. One track ends and another begins.
        let far = Detection.barcode("a", x: 3500, y: 300)
        let changes = tracker.process([far], frame: .at(0.1, number: 1))
        #expect(changes.map(\.phase) == [.completed(.gone), .detected, .update])
        #expect(changes.dropFirst().allSatisfy { $0.track.previous?.id == TrackID(1) })
        let update = tracker.process([far], frame: .at(0.2, number: 2))
        #expect(update.map(\.phase) == [.update] && update[0].track.previous?.id == TrackID(1))
        #expect(tracker.completeAll(.shutdown)[0].track.previous?.id == TrackID(1))
    }

    @Test func aDiscontinuityResetsReentry() {
        var tracker = Tracker(.barcode.frames(0))
        _ = tracker.process([code], frame: .at(1))
        _ = tracker.process([], frame: .at(1.1, number: 1))
        let changes = tracker.process([code], frame: .at(1.2, number: 2, width: 1920))
        #expect(changes.map(\.phase) == [.detected, .update])
        #expect(changes[0].track.previous == nil)
    }

    @Test func reentryForgetsTheOldestTracks() {
        // The tracker remembers 64 tracks. If 70 tracks end at once, it forgets the first six.
        var tracker = Tracker(.barcode.frames(0))
        let all = (0..<70).map { Detection.barcode("\($0)", x: Float($0 % 35) * 110, y: Float($0 / 35) * 300 + 50) }
        _ = tracker.process(all, frame: .at(0))
        _ = tracker.process([], frame: .at(0.1, number: 1))
        let changes = tracker.process(all, frame: .at(0.2, number: 2)).filter { $0.phase == .detected }
        #expect(changes.count == 70)
        let told = changes.compactMap(\.track.previous?.id.number)
        #expect(Set(told) == Set(7...70))
    }

    /// In all cases a new track names only a completed track, at most once, with a score from 0 to 1.
    @Test(arguments: [TrackerConfiguration.object, .face, .barcode, .erratic, .barcode.frames(1)])
    func thePreviousTrackIsCompletedAndClaimedOnce(configuration: TrackerConfiguration) {
        for seed in Fuzz.seeds(100) {
            var scene = RandomScene(seed: seed, isHostile: seed % 2 == 1)
            var tracker = Tracker(configuration)
            var (completed, claimed): (Set<TrackID>, Set<TrackID>) = ([], [])
            var faults: [String] = []
            for _ in 0..<40 {
                let (frame, detections) = scene.nextFrame()
                for change in tracker.process(detections, frame: frame) {
                    switch change.phase {
                    case .completed(.discontinuity): completed = []
                    case .completed: completed.insert(change.track.id)
                    case .detected:
                        guard let previous = change.track.previous else { continue }
                        if !completed.contains(previous.id) || !claimed.insert(previous.id).inserted {
                            faults.append("\(change.track.id) was \(previous.id)")
                        }
                        if !(0.5...1).contains(previous.score) { faults.append("score \(previous.score)") }
                    case .update, .missing: break
                    }
                }
            }
            #expect(faults == [], "seed \(seed)")
        }
    }
}
