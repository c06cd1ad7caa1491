import Foundation
import GlimpseTesting
import Testing

@Suite struct UnitFileTests {
    private static let analyzer = "/usr/bin/systemd-analyze"

    /// The unit as it ships, but for the program's path, which need not be installed here.
    @Test(.enabled(if: access(analyzer, X_OK) == 0, "systemd-analyze is not installed"))
    func systemdHasNoComplaint() async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let unit = try String(contentsOf: root.appending(path: "systemd/glimpsed.service"), encoding: .utf8)
        #expect(unit.contains("ExecStart=/usr/local/bin/glimpsed run"))
        #expect(unit.contains("ExecReload=/usr/local/bin/glimpsed reload"))
        let scope = TestScope()
        let copy = scope.write(
            "glimpsed.service",
            unit.replacingOccurrences(of: "/usr/local/bin/glimpsed", with: Program.built("glimpsed"))
        )
        let analysis = RunningProgram(Self.analyzer, ["verify", "--man=no", copy])
        #expect(analysis.finish().status == 0)
        #expect(analysis.errors == "")
    }
}
