import Observations
import Testing

@testable import Search

@Suite struct HintTests {
    @Test func aPoorPictureIsSaidWhileItMatters() {
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

    @Test func severalObjectsOneOverTheOther() {
        var script = SessionScript()
        script.frames(4, .object(1), .object(2, at: 0.55))
        #expect(script.last?.hint == .severalObjects)
    }

    @Test func theRegionIsWhatMatters() {
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

    @Test func codesAreStableAndTextsShort() {
        #expect(
            SearchHint.allCases.map(\.rawValue) == [
                "point_camera", "hold_still", "move_closer", "too_dark", "too_bright", "blurred", "several_objects",
                "low_confidence", "no_results", "network",
            ])
        #expect(SearchHint.allCases.allSatisfy { (1...40).contains($0.text.count) })
    }
}
