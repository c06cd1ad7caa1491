import Detectors
import Frames
import Observations
import Testing

@Suite struct FocusWindowTests {
    private func frame(_ seconds: Double) -> FrameInfo {
        FrameInfo(
            sequence: 1, presentationTime: Int64((seconds * 1e9).rounded()), time: .epoch, clock: .file, width: 1024,
            height: 512)
    }

    private let focus = Box(x: 384, y: 192, width: 128, height: 64)

    @Test func withoutAFocusItIsEverywhere() {
        var window = FocusWindow()
        #expect(window.part(of: .full, in: frame(0)) == nil)
        window.set(focus)
        window.set(nil)
        #expect(window.part(of: .full, in: frame(0)) == nil)
    }

    @Test func thePartIsTheBoxAndItsLongerSideAround() {
        var window = FocusWindow()
        window.set(focus)
        #expect(
            window.part(of: .full, in: frame(0)) == NormalizedRegion(x: 0.25, y: 0.125, width: 0.375, height: 0.625))
    }

    @Test func itStaysInTheRegion() throws {
        var window = FocusWindow()
        window.set(focus)
        let region = NormalizedRegion(x: 0.35, y: 0, width: 0.6, height: 0.6)
        let seen = window.part(of: region, in: frame(0))
        let part = try #require(seen)
        #expect((part.x, part.y) == (0.35, 0.125))
        #expect(abs(part.width - 0.275) < 1e-9 && abs(part.height - 0.475) < 1e-9)
        // A focus outside of the region, as after another configuration.
        #expect(window.part(of: NormalizedRegion(x: 0.8, y: 0.8, width: 0.2, height: 0.2), in: frame(0)) == nil)
    }

    @Test func aLargeFocusIsNotWorthIt() {
        var window = FocusWindow()
        window.set(Box(x: 300, y: 100, width: 300, height: 300))
        #expect(window.part(of: .full, in: frame(0)) == nil)
    }

    @Test(arguments: [Box(x: .nan, y: 0, width: 10, height: 10), Box(x: 0, y: 0, width: 0, height: 10)])
    func anImpossibleFocusIsNone(box: Box) {
        var window = FocusWindow()
        window.set(box)
        #expect(window.part(of: .full, in: frame(0)) == nil)
    }

    @Test func whatLiesAtTheFocusMeetsIt() {
        func detection(x: Float) -> Detection {
            Detection(box: Box(x: x, y: 192, width: 50, height: 50), confidence: 1, content: .face(Face()))
        }
        var window = FocusWindow()
        #expect(!window.isMet(by: [detection(x: 400)]))
        window.set(focus)
        #expect(window.isMet(by: [detection(x: 0), detection(x: 400)]))
        #expect(!window.isMet(by: [detection(x: 520)]))
        #expect(!window.isMet(by: []))
    }

    @Test func onceASecondItIsEverywhere() {
        var window = FocusWindow()
        var whole: [Int] = []
        for tenth in 0..<35 {
            window.set(focus)
            if window.part(of: .full, in: frame(Double(tenth) / 10)) == nil { whole.append(tenth) }
        }
        #expect(whole == [10, 20, 30])
        // Time that runs backwards is no reason to wait.
        #expect(window.part(of: .full, in: frame(0.5)) == nil)
        #expect(window.part(of: .full, in: frame(0.6)) != nil)
    }
}
