// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing
import Tracking

@Suite struct AssociationTests {
    @Test func aMovingObjectKeepsItsID() {
        let frames = (0..<20).map { [Detection.object(x: 40 * Float($0), y: 50)] }
        #expect(trackedIDs(frames, .object) == Array(repeating: [1], count: 20))
    }

    @Test(arguments: [0, 3])
    func aDuplicateBoxIsOneTrack(firstDuplicate: Int) {
        let frames = (0..<6).map { number -> [Detection] in
            let real = Detection.object(x: 100, y: 100, confidence: 0.95)
            return number < firstDuplicate ? [real] : [real, .object(x: 105, y: 100, confidence: 0.92)]
        }
        #expect(Set(trackedIDs(frames, .object).flatMap(\.self).compactMap(\.self)) == [1])
    }

    @Test func aDetectionOfAnotherClassIsANewTrack() {
        let frames = [[Detection.object(x: 0, y: 0, label: 1)], [.object(x: 0, y: 0, confidence: 0.95, label: 2)]]
        #expect(trackedIDs(frames, .object) == [[1], [2]])
    }

    // MARK: Payloads

    @Test func aTrackFollowsAUniquePayloadOverAnyJump() {
        // The object moves three sizes in a frame, and ten sizes after half a second unseen.
        let jumps: [[Detection]] =
            [[.barcode("a", x: 100, y: 0)], [.barcode("a", x: 290, y: 0)]] + Array(repeating: [], count: 4)
            + [[.barcode("a", x: 890, y: 0)]]
        #expect(trackedIDs(jumps, .barcode) == [[1], [1], [], [], [], [], [1]])
    }

    @Test func knownPayloadsThatSwapPlacesKeepTheirIDs() {
        let frames: [[Detection]] = [
            [.barcode("a", x: 100, y: 0), .barcode("b", x: 180, y: 0)],
            [.barcode("b", x: 100, y: 0), .barcode("a", x: 180, y: 0)],
        ]
        #expect(trackedIDs(frames, .barcode) == [[1, 2], [2, 1]])
    }

    @Test func equalLabelsSideBySideAreTwoTracks() {
        let pair: [Detection] = [.barcode("a", x: 100, y: 0), .barcode("a", x: 170, y: 0)]
        #expect(trackedIDs(Array(repeating: pair, count: 10), .barcode) == Array(repeating: [1, 2], count: 10))
        // One object hides for a moment and keeps its id.
        #expect(
            trackedIDs([pair, [pair[0]], pair, [pair[1]], pair], .barcode) == [[1, 2], [1], [1, 2], [2], [1, 2]])
    }

    @Test func aSymbolThatIsReadLaterKeepsItsID() {
        let frames: [[Detection]] = [
            [.barcode(nil, x: 100, y: 0)], [.barcode(nil, x: 102, y: 0)], [.barcode("a", x: 104, y: 0)],
            [.barcode("a", x: 106, y: 0)],
        ]
        #expect(trackedIDs(frames, .barcode) == [[1], [1], [1], [1]])
    }

    @Test func anUndecodedSymbolDoesNotContinueATrackWithAPayload() {
        var tracker = Tracker(.barcode)
        _ = tracker.process([.barcode("a", x: 100, y: 0)], frame: .at(0))
        for frame in 1...6 {
            let changes = tracker.process([.barcode(nil, x: 102, y: 0)], frame: .at(Double(frame) / 10))
            #expect(changes.filter { $0.track.id == TrackID(1) }.map(\.phase) == [.missing], "frame \(frame)")
        }
        // A payload that is read again in its old place continues its track.
        let again = tracker.process([.barcode("a", x: 104, y: 0)], frame: .at(0.7))
        #expect(again.contains { $0.phase == .update && $0.track.id == TrackID(1) })
    }

    @Test func anotherPayloadInATracksPlaceEndsTheTrack() {
        var tracker = Tracker(.barcode)
        _ = tracker.process([.barcode("a", x: 100, y: 0)], frame: .at(0))
        let contradiction = tracker.process([.barcode("b", x: 102, y: 0)], frame: .at(0.1))
        #expect(contradiction.map(\.phase) == [.completed(.payloadChanged), .detected, .update])
        #expect(contradiction.map(\.track.id.number) == [1, 2, 2])
    }

    @Test func aSymbolThatIsOnlyLocatedNeedsItsHits() {
        let located: [Detection] = [.barcode(nil, x: 100, y: 0)]
        #expect(trackedIDs([[], located, located, located], .barcode) == [[], [nil], [nil], [1]])
        #expect(trackedIDs([[], located, [.barcode("a", x: 100, y: 0)]], .barcode) == [[], [nil], [1]])
    }

    @Test func aLabelThatComesBackAfterTheGapIsANewTrack() {
        let label: [Detection] = [.barcode("a", x: 100, y: 0)]
        #expect(trackedIDs([label] + Array(repeating: [], count: 20) + [label], .barcode).last == [1])
        #expect(trackedIDs([label] + Array(repeating: [], count: 21) + [label], .barcode).last == [2])
    }
}
