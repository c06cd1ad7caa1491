import GlimpseTesting
import Observations
import Testing
import Tracking

/// What a new track is told to have been before.
@Suite struct ReentryTests {
    /// Shows `first` for a second, nothing until it is given up and `away` seconds are over, then `second`; the pictures are 4000x1000.
    private func previous(
        _ first: [Detection], away: Double = 3, _ second: [Detection], _ configuration: TrackerConfiguration
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

    @Test func whatComesBackAtItsExitIsToldApartFromNothing() throws {
        let found = previous([.object(x: 0, y: 300)], [.object(x: 0, y: 300)], .object)
        #expect(found.keys.sorted() == [1, 2])
        #expect(found[1] == .some(nil))
        let told = try #require(found[2] ?? nil)
        #expect(told.id == TrackID(1))
        // Same place, border and size: what is left is time, 1 - 3 / 20.
        #expect(abs(told.score - 0.85) < 0.001)
    }

    @Test func distanceTimeSizeAndBorderLower() throws {
        func score(away: Double = 3, x: Float, size: Float = 100) -> Float {
            (previous([.object(x: 1000, y: 300)], away: away, [.object(x: x, y: 300, size: size)], .object)[2] ?? nil)?
                .score ?? 0
        }
        // Two sizes away after three seconds, with a reach of four: exp(-(2/4)^2).
        #expect(abs(score(x: 1200) - 0.85 * 0.7788) < 0.001)
        #expect(score(away: 8, x: 1000) < score(away: 3, x: 1000))
        #expect(score(x: 1000, size: 60) < score(x: 1000, size: 80))
        #expect(score(x: 1000, size: 25) == 0)
        #expect(score(x: 2500) == 0)
        // At the border now, in the middle of the picture before.
        let seenInside = previous([.object(x: 100, y: 300)], [.object(x: 0, y: 300)], .object)[2] ?? nil
        #expect(abs((seenInside?.score ?? 0) - 0.85 * 0.7 * 0.9394) < 0.001)
    }

    @Test(arguments: [(5.0, 4.5, true), (5, 5.5, false), (0, 3, false)])
    func timeIsBounded(limit: Double, away: Double, isTold: Bool) {
        var configuration = TrackerConfiguration.object
        configuration.reentry = limit
        let found = previous([.object(x: 0, y: 300)], away: away, [.object(x: 0, y: 300)], configuration)
        #expect((found[2] != .some(nil)) == isTold)
    }

    @Test func payloadDecides() {
        let here = Detection.barcode("a", x: 1000, y: 300)
        func score(_ second: Detection) -> Float { (previous([here], [second], .barcode)[2] ?? nil)?.score ?? 0 }
        #expect(score(.barcode("b", x: 1000, y: 300)) == 0)
        #expect(abs(score(.barcode("a", x: 1000, y: 300)) - 0.85) < 0.001)
        // Anywhere in the picture, but less sure.
        #expect(abs(score(.barcode("a", x: 3500, y: 300)) - 0.425) < 0.001)
    }

    @Test func classDecides() {
        let car = Detection.object(x: 1000, y: 300, label: 1, text: "car")
        let truck = Detection.object(x: 1000, y: 300, label: 2, text: "truck")
        var configuration = TrackerConfiguration.object
        #expect(previous([car], [truck], configuration)[2] == .some(nil))
        configuration.confusables = [["car", "truck"]]
        #expect(previous([car], [truck], configuration)[2] != .some(nil))
    }

    @Test func landmarksRank() throws {
        let one = Detection.face(x: 1000, y: 300, eyes: (30, 70))
        let other = Detection.face(x: 1000, y: 300, eyes: (30, 50))
        func score(_ second: Detection) -> Float { (previous([one], [second], .face)[2] ?? nil)?.score ?? 0 }
        #expect(abs(score(one) - 0.85) < 0.001)
        #expect(score(other) < score(one))
    }

    @Test func eachTrackGoesOnOnce() throws {
        let left = Detection.object(x: 1000, y: 300)
        let right = Detection.object(x: 1150, y: 300)
        let found = previous([left], [left, right], .object)
        #expect((found[2] ?? nil)?.id == TrackID(1))
        #expect(found[3] == .some(nil))
        // The sum of both decides, not who comes first.
        let both = previous([left, right], [right, left], .object)
        #expect((both[3] ?? nil)?.id == TrackID(1) && (both[4] ?? nil)?.id == TrackID(2))
    }

    @Test func allLinesOfTheTrackCarryIt() {
        var tracker = Tracker(.object.frames(0))
        _ = tracker.process([.object(x: 0, y: 300)], frame: .at(0))
        _ = tracker.process([], frame: .at(0.1, number: 1))
        for frame in 2..<4 {
            _ = tracker.process([.object(x: 0, y: 300)], frame: .at(Double(frame) / 10, number: frame))
        }
        let update = tracker.process([.object(x: 0, y: 300)], frame: .at(0.4, number: 4))
        #expect(update.map(\.phase) == [.update])
        #expect(update[0].track.previous?.id == TrackID(1))
        #expect(tracker.completeAll(.shutdown)[0].track.previous?.id == TrackID(1))
    }

    @Test func aDiscontinuityForgets() {
        var tracker = Tracker(.object.frames(0))
        _ = tracker.process([.object(x: 0, y: 300)], frame: .at(1))
        _ = tracker.process([], frame: .at(1.1, number: 1))
        let changes = tracker.process([.object(x: 0, y: 300)], frame: .at(1.2, number: 2, width: 1920))
        #expect(changes.map(\.phase) == [.detected, .update])
        #expect(changes[0].track.previous == nil)
    }

    @Test func theOldestGiveWay() {
        // 64 are remembered; of 70 that end at once, the first six are not.
        var tracker = Tracker(.object.frames(0))
        let all = (0..<70).map { Detection.object(x: Float($0 % 35) * 110, y: Float($0 / 35) * 300 + 50) }
        _ = tracker.process(all, frame: .at(0))
        _ = tracker.process([], frame: .at(0.1, number: 1))
        _ = tracker.process(all, frame: .at(0.2, number: 2))
        let changes = tracker.process(all, frame: .at(0.3, number: 3)).filter { $0.phase == .detected }
        #expect(changes.count == 70)
        let told = changes.compactMap(\.track.previous?.id.number)
        #expect(Set(told) == Set(7...70))
    }

    /// Whatever happens: only a track that is completed, at most once, with a score that is one.
    @Test(arguments: [TrackerConfiguration.object, .face, .barcode, .erratic, .object.frames(1)])
    func itIsACompletedTrackAndNobodyElses(configuration: TrackerConfiguration) {
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
                        if !(0.3...1).contains(previous.score) { faults.append("score \(previous.score)") }
                    case .update, .missing: break
                    }
                }
            }
            #expect(faults == [], "seed \(seed)")
        }
    }
}
