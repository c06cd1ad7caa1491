import Glibc
import GlimpseTesting
import Testing

/// The page in a real browser.
@Suite(
    .enabled(
        if: access("/usr/bin/chromium", X_OK) == 0 && access("/usr/bin/chromedriver", X_OK) == 0
            || getenv("GLIMPSE_REQUIRE_BROWSER") != nil,
        "needs scripts/setup.sh --browser"))
struct BrowserTests {
    @Test func thePageHoldsInChromium() {
        let binaries = String(Program.built("glimpsed").dropLast("/glimpsed".count))
        let script = "\(Checkout.root)/Tests/Products/WebTests/Browser/page_test.py"
        let result = Program.run("python3", [script, binaries], within: .seconds(600))
        #expect(result.status == 0, "\(result.lines.filter { !$0.hasPrefix("ok") })\n\(result.errors)")
        #expect(result.lines.filter { $0.hasPrefix("ok") }.count >= 50)
    }
}
