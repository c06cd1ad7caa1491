// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// The page in real browsers, and behind real proxies.
@Suite(
    .serialized,
    .enabled(
        if: ["chromium", "chromedriver", "firefox-esr", "caddy"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }
            && access("/usr/sbin/nginx", X_OK) == 0
            || getenv("GLIMPSE_REQUIRE_BROWSER") != nil,
        "needs scripts/setup.sh --browser"))
struct BrowserTests {
    @Test func boxesLieOnTheFramesThatTheyBelongToInChromium() {
        run("frames_test.py", "--browser", "chromium", lines: 19)
    }

    @Test func boxesLieOnTheFramesThatTheyBelongToInFirefox() {
        run("frames_test.py", "--browser", "firefox", lines: 19)
    }

    @Test func theCamerasOwnVideoAndItsClipsHaveTheirBoxesInChromium() {
        run("video_test.py", lines: 13)
    }

    @Test func everyViewOfThePageHoldsInChromium() {
        run("page_test.py", "--browser", "chromium", lines: 100)
    }

    @Test func everyViewOfThePageHoldsInFirefox() {
        run("page_test.py", "--browser", "firefox", lines: 100)
    }

    @Test func thePageWorksBehindTheProxiesOfItsDocument() {
        run("proxies_test.py", lines: 20)
    }

    /// - Parameter lines: the least number of statements that the script finds true.
    private func run(_ script: String, _ options: String..., lines: Int) {
        let binaries = String(Program.built("glimpsed").dropLast("/glimpsed".count))
        let path = "\(Checkout.root)/Tests/Products/WebTests/Browser/\(script)"
        let result = Program.run("python3", [path, binaries] + options, within: .seconds(900))
        #expect(result.status == 0, "\(result.lines.filter { !$0.hasPrefix("ok") })\n\(result.errors)")
        #expect(result.lines.filter { $0.hasPrefix("ok") }.count >= lines)
    }
}
