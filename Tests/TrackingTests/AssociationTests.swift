import GlimpseTesting
import Observations
import Testing
import Tracking

@Suite struct AssociationTests {
    /// The ids under which each frame's detections were reported, in the order of the detections.
    private func ids(
        _ frames: [[Detection]], _ configuration: TrackerConfiguration, framesPerSecond: Double = 10
    ) -> [[UInt64?]] {
        var tracker = Tracker(configuration)
        return frames.enumerated().map { number, detections in
            let changes = tracker.process(detections, frame: .at(Double(number) / framesPerSecond, number: number))
            let present = changes.filter { $0.phase == .update }
            return detections.map { detection in present.first { $0.track.box == detection.box }?.track.id.number }
        }
    }

    @Test func aMovingObjectKeepsItsID() {
        let frames = (0..<20).map { [Detection.object(x: 40 * Float($0), y: 50)] }
        #expect(ids(frames, .object) == Array(repeating: [1], count: 20))
    }

    @Test(arguments: [Float(0.5), 1, 1.5])
    func aFastObjectKeepsItsIDOnceItsVelocityIsKnown(widthsPerFrame: Float) {
        // Sets off slowly, so that the filter has a velocity before boxes stop to overlap.
        var x: Float = 0
        let frames = (0..<14).map { number in
            x += 100 * widthsPerFrame * min(1, Float(number) / 8)
            return [Detection.object(x: x, y: 50)]
        }
        #expect(ids(frames, .object, framesPerSecond: 5) == Array(repeating: [1], count: 14))
    }

    @Test func objectsThatCrossAtRightAnglesKeepTheirIDs() {
        let frames = (0..<21).map { number -> [Detection] in
            let along = Float(number) * 40
            return [.object(x: along, y: 400, size: 90), .object(x: 400, y: along, size: 90)]
        }
        // Each at its own place at both ends; while they overlap, both are there.
        let result = ids(frames, .object)
        #expect(result.first == [1, 2] || result.first == [2, 1])
        #expect(result.first == result.last)
        #expect(result.allSatisfy { $0.count == 2 && !$0.contains(nil) })
    }

    @Test func singleFalsePositivesAreNeverReported() {
        for seed in 0..<100 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            // In two frames of ten, never at one place twice.
            let frames = (0..<50).map { number -> [Detection] in
                guard number > 0, Int.random(in: 0..<5, using: &random) == 0 else { return [] }
                return [.object(x: Float(number % 2) * 2000 + Float(number) * 30, y: 100, size: 40)]
            }
            #expect(ids(frames, .object).allSatisfy { $0.allSatisfy { $0 == nil } }, "seed \(seed)")
        }
    }

    @Test(arguments: [0, 3])
    func aDuplicateBoxIsOneTrack(firstDuplicate: Int) {
        let frames = (0..<6).map { number -> [Detection] in
            let real = Detection.object(x: 100, y: 100, confidence: 0.95)
            return number < firstDuplicate ? [real] : [real, .object(x: 105, y: 100, confidence: 0.92)]
        }
        #expect(Set(ids(frames, .object).flatMap(\.self).compactMap(\.self)) == [1])
    }

    @Test func anotherClassIsAnotherThing() {
        let frames = [[Detection.object(x: 0, y: 0, label: 1)], [.object(x: 0, y: 0, confidence: 0.95, label: 2)]]
        #expect(ids(frames, .object) == [[1], [2]])
    }

    // MARK: Payloads

    @Test func aUniquePayloadIsAnIdentityHoweverTheLabelJumps() {
        // Three sizes in a frame; after half a second unseen, ten.
        let jumps: [[Detection]] =
            [[.barcode("a", x: 100, y: 0)], [.barcode("a", x: 290, y: 0)]] + Array(repeating: [], count: 4)
            + [[.barcode("a", x: 890, y: 0)]]
        #expect(ids(jumps, .barcode) == [[1], [1], [], [], [], [], [1]])
    }

    @Test func knownPayloadsThatSwapPlacesKeepTheirIDs() {
        let frames: [[Detection]] = [
            [.barcode("a", x: 100, y: 0), .barcode("b", x: 180, y: 0)],
            [.barcode("b", x: 100, y: 0), .barcode("a", x: 180, y: 0)],
        ]
        #expect(ids(frames, .barcode) == [[1, 2], [2, 1]])
    }

    @Test func equalLabelsSideBySideAreTwo() {
        let pair: [Detection] = [.barcode("a", x: 100, y: 0), .barcode("a", x: 170, y: 0)]
        #expect(ids(Array(repeating: pair, count: 10), .barcode) == Array(repeating: [1, 2], count: 10))
        // One of them hides for a moment and is itself again.
        #expect(ids([pair, [pair[0]], pair, [pair[1]], pair], .barcode) == [[1, 2], [1], [1, 2], [2], [1, 2]])
    }

    @Test func aSymbolThatIsReadLaterKeepsItsID() {
        let frames: [[Detection]] = [
            [.barcode(nil, x: 100, y: 0)], [.barcode("a", x: 102, y: 0)], [.barcode(nil, x: 104, y: 0)],
            [.barcode("a", x: 106, y: 0)],
        ]
        #expect(ids(frames, .barcode) == [[1], [1], [1], [1]])
    }

    @Test func aSymbolThatIsNotReadForAMomentStillSaysWhatItSaid() {
        var tracker = Tracker(.barcode)
        _ = tracker.process([.barcode("a", x: 100, y: 0)], frame: .at(0))
        let changes = tracker.process([.barcode(nil, x: 102, y: 0)], frame: .at(0.1))
        #expect(changes.map(\.track.detection.text) == ["a"])
        #expect(changes.first?.track.box.x == 102)
        // And another payload at its place is another thing: the old one is not there any more.
        let contradiction = tracker.process([.barcode("b", x: 102, y: 0)], frame: .at(0.2))
        #expect(contradiction.map(\.phase) == [.completed(.payloadChanged), .detected, .update])
        #expect(contradiction.map(\.track.id.number) == [1, 2, 2])
    }

    @Test func aSymbolThatIsOnlyLocatedNeedsItsHits() {
        let located: [Detection] = [.barcode(nil, x: 100, y: 0)]
        #expect(ids([[], located, located, located], .barcode) == [[], [nil], [nil], [1]])
        #expect(ids([[], located, [.barcode("a", x: 100, y: 0)]], .barcode) == [[], [nil], [1]])
    }

    @Test func theSameLabelAfterTheGapIsNew() {
        let label: [Detection] = [.barcode("a", x: 100, y: 0)]
        #expect(ids([label] + Array(repeating: [], count: 20) + [label], .barcode).last == [1])
        #expect(ids([label] + Array(repeating: [], count: 21) + [label], .barcode).last == [2])
    }
}
