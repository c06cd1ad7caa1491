// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

@testable import Search

@Suite struct HintTests {
    @Test func aHintReportsAPoorPictureWhileItMatters() {
        var script = SessionScript()
        script.frames()
        script.measure(0.05)
        script.frames(2)
        #expect(script.last?.hint == .tooDark && script.last?.quality?.brightness == 0.05)
        script.measure(0.95)
        script.frames(2)
        #expect(script.last?.hint == .tooBright)
        script.measure(0.5, sharpness: 0.001)
        script.frames(2)
        // A background may be out of focus.
        #expect(script.last?.hint == .pointCamera)
        script.frames(3, .object(1))
        #expect(script.last?.hint == .holdStill)
        script.measure(0.5, sharpness: 0.001)
        script.frames(2, .object(1))
        #expect(script.last?.hint == .blurred && script.state == .confirming)
    }

    /// A value at the limit does not flicker.
    @Test func hintsHaveHysteresis() {
        let limit = QualityLimits.darkest
        func quality(_ brightness: Float) -> PictureQuality {
            PictureQuality(brightness: brightness, contrast: 0.2, sharpness: 0.2)
        }
        #expect(quality(limit * 1.1).hint(current: nil, judgesFocus: true) == nil)
        #expect(quality(limit * 1.1).hint(current: .tooDark, judgesFocus: true) == .tooDark)
        #expect(quality(limit * 1.2).hint(current: .tooDark, judgesFocus: true) == nil)
    }

    @Test func theHintNamesASearchFromBeginningToEnd() {
        var script = SessionScript.confirmed()
        #expect(script.state == .confirmed && script.last?.hint == .ready)
        script.command(.search)
        #expect(script.state == .searching && script.last?.hint == .searching)
        var failed = script
        failed.fail(SearchFailure(.engine, retryable: true))
        #expect(failed.state == .searchFailed && failed.last?.hint == .failed)
        script.answer(.result("a", 0.9))
        #expect(script.state == .searched && script.last?.hint == .found)
        script.end()
        #expect(script.state == .notStarted && script.last?.hint == .wait)
    }

    @Test func theCooldownHasAHintAsLongAsItLasts() {
        var script = SessionScript.searching { $0.resultTime = 1_000_000_000 }
        script.answer(.result("a", 0.9))
        // Results for a second, then the object stays.
        script.frames(10, .object(1))
        script.frames(380, .object(1))
        #expect(script.state == .detected && script.last?.hint == .alreadySearched)
        // An object aside must return to the middle.
        script.frames(3, .object(1, at: 0.9, 0.9, size: 0.1))
        #expect(script.state == .detected && script.last?.hint == .pointCamera)
        script.frames(3, .object(1))
        #expect(script.state == .detected && script.last?.hint == .alreadySearched)
    }

    @Test func onlyFaultsHaveAHelpHint() {
        let address = "https://shop.example/help"
        var script = SessionScript { $0.help = address }
        script.frames(301)
        #expect(script.state == .timedOut && script.last?.hint == .help && script.last?.help == address)
        script.measure(0.05)
        script.frames(3)
        #expect(script.state == .timedOut && script.last?.hint == .tooDark && script.last?.help == address)
        script.frames(16, .object(1))
        #expect(script.state == .searching)
        script.fail(SearchFailure(.network, retryable: true))
        #expect(script.last?.hint == .network && script.last?.help == address)
        #expect(script.statuses.allSatisfy { ($0.help != nil) == [.timedOut, .searchFailed].contains($0.state) })
    }

    @Test func theHintForSeveralObjectsInOnePlace() {
        var script = SessionScript()
        script.frames(4, .object(1), .object(2, at: 0.55))
        #expect(script.last?.hint == .severalObjects)
    }

    @Test func hintsConcernTheRegionOfInterest() {
        var script = SessionScript()
        script.frames()
        #expect(script.withSession { $0.regionToMeasure() } == Box(x: 0, y: 0, width: 1280, height: 720))
        // Five times a second at most.
        script.frames()
        #expect(script.withSession { $0.regionToMeasure() } == nil)
        script.frames(1, .object(1))
        #expect(script.withSession { $0.regionToMeasure() } == Track.object(1).box)
        script.frames(20, .object(1))
        #expect(script.state == .searching && script.withSession { $0.regionToMeasure() } == nil)
    }

    @Test func codesOfHintsAreStableAndTextsShort() {
        #expect(
            SearchHint.allCases.map(\.rawValue) == [
                "wait", "point_camera", "hold_still", "move_closer", "too_dark", "too_bright", "blurred",
                "several_objects",
                "low_confidence", "no_results", "network", "already_searched", "ready", "searching", "found", "failed",
                "help",
            ])
        #expect(SearchHint.allCases.allSatisfy { (1...40).contains($0.text.count) })
    }
}
