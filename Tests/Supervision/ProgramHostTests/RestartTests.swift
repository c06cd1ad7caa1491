// SPDX-License-Identifier: Apache-2.0
import Detectors
import ExternalDetectors
import GlimpseTesting
import ProgramHost
import Settings
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Programs that end again and again.
@Suite struct RestartTests {
    /// Greets, and ends at the first frame. The quickest language that every Debian has.
    private static let command = [
        "mawk", "-W", "interactive", #"NR == 1 { print "{\"ready\":true}"; next } { exit 3 }"#,
    ]

    @Test func aThousandRestartsLeaveNothing() throws {
        var settings = ExternalSettings()
        settings.command = Self.command
        let factory = ExternalDetectorFactory(settings, name: "test", starter: try ProgramHost(command: Self.command))
        let frame = FramePainter(width: 640, height: 360).frame(1, seconds: 0)
        func restart() throws {
            let detector = try factory.makeDetector().detector
            #expect(throws: DetectorError("the program ended: exit status 3", endsDetector: true)) {
                try detector.detect(in: frame)
            }
        }
        for _ in 0..<50 { try restart() }
        let before = try #require(ProcessFootprint(of: getpid()))
        for _ in 0..<1000 { try restart() }
        let after = try #require(ProcessFootprint(of: getpid()))
        #expect(after.descriptors == before.descriptors && after.zombies == before.zombies)
        // A leak of the rings' first pictures would be 230 MB.
        #expect(after.privateBytes - before.privateBytes < 20_000_000)
    }
}
