// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing
import Tracking

/// The effect of scores, payloads and landmarks in random scenes.
@Suite struct EvidenceTests {
    // MARK: Scores

    @Test func aScoreThatDipsEndsNoTrack() {
        for seed in Fuzz.seeds(300) {
            var random = SeededRandom(seed: seed)
            let velocity = Float.random(in: -10...10, using: &random)
            let dip = Int.random(in: 3...8, using: &random)
            var tracker = Tracker(.object)
            var phases: [TrackPhase] = []
            for number in 0..<25 {
                let score: Float = dip..<(dip + 10) ~= number ? .random(in: 0.3..<0.6, using: &random) : 0.8
                let x = 1000 + velocity * Float(number) + .random(in: -3...3, using: &random)
                let changes = tracker.process(
                    [.object(x: x, y: 100, confidence: score)], frame: .at(Double(number) / 10))
                phases += changes.map(\.phase)
            }
            #expect(phases == [.detected] + Array(repeating: .update, count: 25), "seed \(seed)")
        }
    }

    @Test func lowScoresAloneStartNoTrack() {
        for seed in Fuzz.seeds(300) {
            var random = SeededRandom(seed: seed)
            let frames = (0..<20).map { _ in
                (0..<3).map {
                    Detection.object(x: 500 * Float($0), y: 0, confidence: .random(in: 0...0.59, using: &random))
                }
            }
            #expect(trackedIDs(frames, .object).allSatisfy { $0.allSatisfy { $0 == nil } }, "seed \(seed)")
        }
    }

    @Test func falsePositiveDetectionsAreNeverReported() {
        for seed in Fuzz.seeds(1000) {
            var random = SeededRandom(seed: seed)
            // False positives come in one frame of five, never twice in one place, below the score for an immediate
            // track.
            let frames = (0..<50).map { number -> [Detection] in
                guard number > 0, Int.random(in: 0..<5, using: &random) == 0 else { return [] }
                return [
                    .object(
                        x: Float(number % 2) * 2000 + .random(in: 0...1800, using: &random),
                        y: .random(in: 0...900, using: &random), size: .random(in: 20...100, using: &random),
                        confidence: .random(in: 0.1..<0.9, using: &random))
                ]
            }
            #expect(trackedIDs(frames, .object).allSatisfy { $0.allSatisfy { $0 == nil } }, "seed \(seed)")
        }
    }

    @Test func aDuplicateDetectionIsNotATrack() {
        for seed in Fuzz.seeds(300) {
            var random = SeededRandom(seed: seed)
            let velocity = Float.random(in: -20...20, using: &random)
            let frames = (0..<15).map { number -> [Detection] in
                let x = 1000 + velocity * Float(number)
                let real = Detection.object(x: x, y: 100, confidence: 0.95)
                // 5 pixels of 100: an overlap of 0.9.
                let duplicate = Detection.object(
                    x: x + (Bool.random(using: &random) ? 5 : -5), y: 100,
                    confidence: .random(in: 0.6..<0.95, using: &random))
                return Bool.random(using: &random) ? [real, duplicate] : [real]
            }
            let ids = trackedIDs(frames, .object)
            #expect(Set(ids.flatMap(\.self).compactMap(\.self)) == [1], "seed \(seed)")
        }
    }

    // MARK: Payloads

    @Test func tracksFollowLabelsThatJump() {
        for seed in Fuzz.seeds(200) {
            var random = SeededRandom(seed: seed)
            let names = ["a", "b", "c", "d"].prefix(Int.random(in: 1...4, using: &random))
            var places = names.indices.map { Point(x: 600 + 800 * Float($0), y: 500) }
            let frames = (0..<15).map { _ -> [Detection] in
                for place in places.indices {
                    // Two and a half sizes in a frame.
                    places[place].x = min(3900, max(0, places[place].x + .random(in: -105...105, using: &random)))
                    places[place].y = min(900, max(0, places[place].y + .random(in: -105...105, using: &random)))
                }
                return zip(names, places).map { .barcode($0, x: $1.x, y: $1.y) }
            }
            let ids = trackedIDs(frames, .barcode)
            #expect(ids.allSatisfy { $0 == ids[0] }, "seed \(seed)")
        }
    }

    @Test func tracksFollowLabelsThatChangePlaces() {
        for seed in Fuzz.seeds(200) {
            var random = SeededRandom(seed: seed)
            var names = ["a", "b", "c"]
            let frames = (0..<15).map { _ -> [Detection] in
                names.shuffle(using: &random)
                return names.enumerated().map { .barcode($1, x: 500 + 70 * Float($0), y: 500) }
            }
            var idOfName: [String: Set<UInt64?>] = [:]
            for (detections, ids) in zip(frames, trackedIDs(frames, .barcode)) {
                for (detection, id) in zip(detections, ids) { idOfName[detection.text ?? "", default: []].insert(id) }
            }
            #expect(idOfName.values.allSatisfy { $0.count == 1 }, "seed \(seed)")
            #expect(Set(idOfName.values).count == 3, "seed \(seed)")
        }
    }

    @Test func equalLabelsSideBySideKeepTheirTracks() {
        for seed in Fuzz.seeds(200) {
            var random = SeededRandom(seed: seed)
            let distance = Float.random(in: 66...200, using: &random)
            var hidden = 0
            let frames = (0..<30).map { number -> [Detection?] in
                if number % 5 == 0 { hidden = Int.random(in: 0...5, using: &random) }
                return (0..<2).map { side in
                    if number > 0, hidden == side { return nil }
                    return .barcode(
                        "a", x: 500 + Float(side) * distance + .random(in: -2...2, using: &random),
                        y: 500 + .random(in: -2...2, using: &random))
                }
            }
            let ids = trackedIDs(frames.map { $0.compactMap(\.self) }, .barcode)
            let expected = frames.map { sides in sides.indices.filter { sides[$0] != nil }.map { ids[0][$0] } }
            #expect(ids == expected && Set(ids[0]) == [1, 2], "seed \(seed)")
        }
    }

    @Test func aLabelThatIsReadLaterKeepsItsTrack() {
        for seed in Fuzz.seeds(200) {
            var random = SeededRandom(seed: seed)
            let velocity = Float.random(in: -15...15, using: &random)
            let first = Int.random(in: 4..<20, using: &random)
            let frames = (0..<20).map { number -> [Detection] in
                let isRead = number >= first
                return [.barcode(isRead ? "a" : nil, x: 1000 + velocity * Float(number), y: 500)]
            }
            #expect(trackedIDs(frames, .barcode).allSatisfy { $0 == [1] }, "seed \(seed)")
        }
    }

    @Test func aLabelThatWasAwayTooLongIsANewTrack() {
        for seed in Fuzz.seeds(200) {
            var random = SeededRandom(seed: seed)
            let label: [Detection] = [.barcode("a", x: .random(in: 0...3900, using: &random), y: 500)]
            let away = Int.random(in: 10...40, using: &random)
            let ids = trackedIDs([label] + Array(repeating: [], count: away) + [label], .barcode)
            // Seen again after `away + 1` tenths of a second; it ended in a frame before that, if at all.
            #expect(ids.last == (away > 20 ? [2] : [1]), "seed \(seed)")
        }
    }

    // MARK: Landmarks

    @Test func trackIDsFollowLandmarks() {
        for seed in Fuzz.seeds(300) {
            var random = SeededRandom(seed: seed)
            let apart = Float.random(in: 15...25, using: &random)
            // One face looks to the left and one to the right. Their boxes change places.
            let frames = (0..<10).map { _ -> [Detection] in
                let isSwapped = Bool.random(using: &random)
                return [
                    .face(x: isSwapped ? 500 + apart : 500, looking: -20),
                    .face(x: isSwapped ? 500 : 500 + apart, looking: 20),
                ]
            }
            let ids = trackedIDs(frames, .face)
            #expect(ids.allSatisfy { $0 == ids[0] && !$0.contains(nil) }, "seed \(seed)")
        }
    }
}

extension Detection {
    /// A face of 100 pixels whose points lie `offset` pixels to the side.
    fileprivate static func face(x: Float, looking offset: Float) -> Detection {
        var detection = Detection.face(x: x, y: 100)
        let points: [(Face.Landmark.Name, Float, Float)] = [
            (.leftEye, 70, 40), (.rightEye, 30, 40), (.noseBase, 50, 60),
        ]
        detection.content = .face(
            Face(
                landmarks: points.map {
                    Face.Landmark(name: $0, position: Point(x: x + offset + $1, y: 100 + $2))
                }))
        return detection
    }
}
