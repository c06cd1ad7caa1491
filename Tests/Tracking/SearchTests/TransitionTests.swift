// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

@testable import Search

/// The table of states of `object-detection-and-search.md` 2.2 row by row: each test names its row and the side,
/// "entered when" or "left when".
@Suite struct TransitionTests {
    private let second = 10
    private let center = Track.object(1)
    private let aside = Track.object(1, at: 0.9, 0.9, size: 0.1)

    @Test("NOT_STARTED: before the first frame; pause; left by resume -> DETECTING") func theSearchStateNotStarted() {
        var script = SessionScript()
        #expect(script.state == .notStarted)
        script.frames()
        #expect(script.state == .detecting)
        script.command(.attend(false))
        #expect(script.state == .notStarted)
        script.frames(5, center)
        #expect(script.state == .notStarted)
        script.command(.attend(true))
        script.frames()
        #expect(script.stateChanges == [.detecting, .notStarted, .detecting])
        script.end()
        #expect(script.state == .notStarted)
    }

    @Test("DETECTING: prompt; left when an object is seen") func theSearchStateDetecting() {
        var script = SessionScript()
        script.frames(3)
        #expect(script.stateChanges == [.detecting] && script.last?.hint == .pointCamera)
        script.frames(1, aside)
        #expect(script.state == .detected)
    }

    @Test("DETECTED: the prominent object does not meet the reticle; overlap -> CONFIRMING; none -> DETECTING")
    func theSearchStateDetected() {
        var script = SessionScript()
        script.frames(2, aside)
        #expect(script.stateChanges == [.detecting, .detected])
        script.frames()
        #expect(script.state == .detecting)
        script.frames(1, aside)
        script.frames(1, center)
        #expect(script.stateChanges == [.detecting, .detected, .detecting, .detected, .confirming])
    }

    /// Only objects[0] counts. A small object on the reticle is ignored while a larger object is beside it.
    @Test("Overlap (prominent): only the most prominent object") func onlyTheProminentObjectIsSearched() {
        var script = SessionScript()
        let small = Track.object(7, size: 0.05)
        script.frames(3, .object(1, at: 0.2, size: 0.45), small)
        #expect(script.stateChanges == [.detecting, .detected])
        script.frames(1, small)
        #expect(script.state == .confirming && script.last?.track == TrackID(7))
    }

    /// Half the side is 0.067 of the shorter side: 48.24 of 720 pixels; the box has 128 pixels.
    @Test("Overlap (prominent): the reticle's square meets the box", arguments: [(0.0875, true), (0.0880, false)])
    func anObjectThatOverlapsTheCentreIsSearched(offset: Float, meets: Bool) {
        var script = SessionScript()
        script.frames(1, .object(1, at: 0.5 + offset, size: 0.1))
        #expect(script.state == (meets ? .confirming : .detected))
    }

    @Test("CONFIRMING: progress, prompt; at 1 -> SEARCHING (auto)") func theSearchStateConfirmingEndsAutomatically() {
        var script = SessionScript.searching()
        #expect(script.stateChanges == [.detecting, .confirming, .searching])
        let progress = script.statuses.filter { $0.state == .confirming }.compactMap(\.progress)
        #expect(progress.first == 0 && progress == progress.sorted() && progress.count == 8)
        #expect(script.statuses.contains { $0.state == .confirming && $0.hint == .holdStill })
        #expect(script.begun.count == 1 && script.begun[0].track == TrackID(1) && script.begun[0].id == "1.1")
        #expect(script.begun[0].frame.sequence == 16)
        script.frames(20, center)
        #expect(script.begun.count == 1)
    }

    @Test("CONFIRMING: at 1 -> CONFIRMED (manual); the button -> SEARCHING")
    func theSearchStateConfirmingEndsByCommand() {
        var script = SessionScript.confirmed()
        #expect(script.stateChanges == [.detecting, .confirming, .confirmed] && script.last?.progress == 1)
        script.frames(50, center)
        #expect(script.state == .confirmed && script.begun.isEmpty)
        // The confirmed object is refreshed each frame.
        let moved = Track.object(1, at: 0.52)
        script.frames(1, moved)
        script.command(.search)
        #expect(script.state == .searching && script.begun.first?.detection.box == moved.box)
    }

    @Test("CONFIRMING: leaves the reticle -> DETECTED; gone -> DETECTING; both reset")
    func theSearchStateConfirmingIsLeft() {
        var script = SessionScript()
        script.frames(10, center)
        script.frames(1, aside)
        #expect(script.state == .detected && script.last?.progress == nil)
        script.frames(14, center)
        #expect(script.state == .confirming)
        script.frames()
        #expect(script.state == .detecting)
        script.frames(15, center)
        #expect(script.state == .confirming && script.begun.isEmpty)
        script.frames(1, center)
        #expect(script.state == .searching)
    }

    @Test("CONFIRMING: another id -> the timer restarts, it stays CONFIRMING")
    func anotherTrackRestartsTheSearchConfirmation() {
        var script = SessionScript()
        script.frames(10, center)
        script.frames(10, .object(2))
        #expect(script.stateChanges == [.detecting, .confirming] && script.last?.track == TrackID(2))
        let progress = script.statuses.filter { $0.track == TrackID(2) }.compactMap(\.progress)
        #expect(progress.first == 0 && progress == progress.sorted())
        script.frames(6, .object(2))
        #expect(script.begun.map(\.track) == [TrackID(2)])
    }

    @Test("CONFIRMED: moves off -> DETECTED or DETECTING, and is cleared") func theSearchStateConfirmedIsLeft() {
        var script = SessionScript.confirmed()
        script.frames(1, aside)
        #expect(script.state == .detected)
        script.command(.search)
        #expect(script.begun.isEmpty && script.refusals == ["search: not in state detected"])
        script = .confirmed()
        script.frames()
        #expect(script.state == .detecting && script.last?.track == nil)
    }

    @Test("SEARCHING: frozen; done for this object -> SEARCHED") func aRunningSearchIsFrozen() {
        var script = SessionScript.searching()
        script.frames(5)
        script.frames(5, .object(9))
        #expect(script.state == .searching)
        script.answer(.result("cup", 0.9), .result("mug", 0.95))
        #expect(script.state == .searched && script.last?.track == TrackID(1))
        #expect(script.last?.outcome == .results([.result("mug", 0.95), .result("cup", 0.9)]))
        script.frames(20, .object(9))
        #expect(script.state == .searched)
    }

    @Test("SEARCHING: a result for another object is dropped") func aSearchResultForAnotherObjectIsDropped() {
        var script = SessionScript.searching()
        script.answer(.result("cup", 0.9), to: "1.7")
        script.report(.cropped(query: "1.7", path: "/x.jpg"))
        #expect(script.state == .searching && script.last?.crop == nil)
        script.command(.dismiss)
        #expect(script.state == .detecting && script.actions.contains(.cancel(query: "1.1")))
        script.answer(.result("cup", 0.9))
        #expect(script.state == .detecting)
    }

    @Test("SEARCHED: sheet hidden -> DETECTING, the camera live again") func aDismissedSearch() {
        var script = SessionScript.searching()
        script.answer(.result("cup", 0.9))
        script.command(.dismiss)
        #expect(script.state == .detecting && script.last?.query == nil)
        script.frames(2, .object(2))
        #expect(script.state == .confirming)
    }

    @Test("objectIdsToSearch: no object is searched twice; + a cool-down") func theCooldownOfASearch() {
        var script = SessionScript.searching()
        script.answer(.result("cup", 0.9))
        script.command(.dismiss)
        script.frames(20 * second, center)
        #expect(script.state == .detected && script.begun.count == 1)
        // A track with another id that names this track as its predecessor.
        script.frames(5 * second, .object(4, previous: 1))
        #expect(script.state == .detected && script.begun.count == 1)
        // After an absence of the cool-down, the object is new.
        script.frames(3 * second)
        script.frames(16, center)
        #expect(script.state == .searching && script.begun.count == 2)
    }

    @Test("iOS: without a cool-down the object is confirmed again") func aSearchWithoutCooldown() {
        var script = SessionScript.searching { $0.cooldown = 0 }
        script.answer(.result("cup", 0.9))
        script.command(.dismiss)
        script.frames(16, center)
        #expect(script.begun.count == 2)
    }

    @Test("Selection (multi): the first object whose centre is within the radius; 300 ms")
    func aSearchOfMultipleObjects() {
        var script = SessionScript {
            $0.source = .any
            $0.confirmation = 300_000_000
        }
        let large = Track.object(1, at: 0.3, size: 0.5)
        // The box meets the reticle, but the box's centre does not.
        script.frames(2, large)
        #expect(script.stateChanges == [.detecting, .detected])
        script.frames(3, large, .object(2, at: 0.52, size: 0.1), .object(3, size: 0.1))
        #expect(script.state == .confirming && script.last?.track == TrackID(2))
        script.frames(1, large, .object(2, at: 0.52, size: 0.1))
        #expect(script.begun.map(\.track) == [TrackID(2)])
    }

    @Test("Barcode: the first whose box contains the centre; none -> DETECTING; delay; value") func aSearchOfABarcode()
    {
        var script = SessionScript {
            ($0.source, $0.hasEngine, $0.delay) = (.barcode, false, 2_000_000_000)
        }
        script.frames(3, .barcode(1, at: 0.8, size: 0.2))
        #expect(script.stateChanges == [.detecting])
        script.frames(1, .barcode(1, at: 0.8, size: 0.2), .barcode(2), .barcode(3))
        #expect(script.state == .searching && script.last?.track == TrackID(2))
        script.frames(19)
        #expect(script.state == .searching)
        script.frames()
        #expect(script.state == .searched && script.last?.outcome == .value && script.begun.isEmpty)
    }

    @Test("Barcode: without the delay the value is reported at once") func aSearchOfABarcodeStartsAtOnce() {
        var script = SessionScript { ($0.source, $0.hasEngine) = (.barcode, false) }
        script.frames(1, .barcode(2))
        #expect(script.stateChanges == [.detecting, .searching, .searched])
    }

    @Test("Barcode: size progress below 1 -> move closer") func theBarcodeSizeOfASearch() {
        var script = SessionScript { ($0.source, $0.hasEngine, $0.minimumSize) = (.barcode, false, 0.4) }
        script.frames(3, .barcode(2, size: 0.2))
        #expect(script.state == .tooSmall && script.last?.progress == 0.5 && script.last?.hint == .moveCloser)
        script.frames(1, .barcode(2, size: 0.41))
        #expect(script.state == .searched)
    }
}
