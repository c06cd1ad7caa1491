import Glibc
import GlimpseTesting
import Testing

/// The page in a real browser.
@Suite(
    .serialized,
    .enabled(
        if: access("/usr/bin/chromium", X_OK) == 0 && access("/usr/bin/chromedriver", X_OK) == 0
            || getenv("GLIMPSE_REQUIRE_BROWSER") != nil,
        "needs scripts/setup.sh --browser"))
struct BrowserTests {
    @Test func boxesLieOnTheFramesThatTheyBelongToInChromium() {
        run("frames_test.py", lines: 12)
    }

    @Test func theCamerasOwnVideoAndItsClipsHaveTheirBoxesInChromium() {
        run("video_test.py", lines: 13)
    }

    @Test func everyViewOfThePageHoldsInChromium() {
        run("page_test.py", lines: 90)
    }

    /// - Parameter lines: the least number of statements that the script finds true.
    private func run(_ script: String, lines: Int) {
        let binaries = String(Program.built("glimpsed").dropLast("/glimpsed".count))
        let path = "\(Checkout.root)/Tests/Products/WebTests/Browser/\(script)"
        let result = Program.run("python3", [path, binaries], within: .seconds(900))
        #expect(result.status == 0, "\(result.lines.filter { !$0.hasPrefix("ok") })\n\(result.errors)")
        #expect(result.lines.filter { $0.hasPrefix("ok") }.count >= lines)
    }
}
