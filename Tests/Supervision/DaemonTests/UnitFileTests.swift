// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Checks the shipped unit files with the tools of systemd, without a running manager.
@Suite struct UnitFileTests {
    private let scope = TestScope()
    private static let units = ["glimpsed.service", "glimpsed.socket", "glimpsed-control.socket"]

    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(Checkout.root)/systemd/\(name)", encoding: .utf8)
    }

    @Test func systemdAcceptsTheUnitFiles() throws {
        // The check ignores the program's path, because the program may not be installed here.
        let copies = try Self.units.map { name in
            scope.write(
                name,
                try Self.text(name).replacingOccurrences(of: "/usr/local/bin/glimpsed", with: Program.built("glimpsed"))
            )
        }
        let analysis = RunningProgram(
            "/usr/bin/systemd-analyze", ["verify", "--man=no", "--recursive-errors=yes"] + copies)
        #expect(analysis.finish().status == 0)
        #expect(analysis.errors == "")
    }

    /// The exposure is at most 1.5. A unit without a sandbox has 10.
    @Test func theExposureOfTheUnitFileStaysLow() throws {
        func analysis(_ threshold: Int, _ file: String) -> Int {
            RunningProgram(
                "/usr/bin/systemd-analyze",
                ["security", "--offline=true", "--no-pager", "--threshold=\(threshold)", file]
            ).finish().status
        }
        let unit = "\(Checkout.root)/systemd/glimpsed.service"
        #expect(analysis(15, unit) == 0)
        // The tool refuses a unit without a sandbox.
        let loose = scope.write(
            "glimpsed.service",
            try Self.text("glimpsed.service").replacingOccurrences(of: "RestrictNamespaces=yes\n", with: ""))
        #expect(analysis(15, loose) != 0)
    }

    @Test func usersAndFoldersOfTheUnitFile() throws {
        scope.write("etc/group", "root:x:0:\n")
        scope.write("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n")
        scope.write("usr/lib/sysusers.d/glimpsed.conf", try Self.text("glimpsed.sysusers"))
        scope.write("usr/lib/tmpfiles.d/glimpsed.conf", try Self.text("glimpsed.tmpfiles"))
        #expect(RunningProgram("/usr/bin/systemd-sysusers", ["--root=\(scope.folder)"]).finish().status == 0)
        let groups = try String(contentsOfFile: scope.path("etc/group"), encoding: .utf8)
        for group in ["glimpsed", "video", "render"] { #expect(groups.contains("\n\(group):x:")) }
        // The service's user must have another name than the group, because the group is permanent.
        let users = try String(contentsOfFile: scope.path("etc/passwd"), encoding: .utf8)
        #expect(!users.contains("glimpsed"))
        let folders = RunningProgram(
            "/usr/bin/systemd-tmpfiles", ["--root=\(scope.folder)", "--create", "glimpsed.conf"])
        // Only root may give away what was made: EX_CANTCREAT.
        let status = folders.finish().status
        #expect(status == 0 || geteuid() != 0 && status == 73)
        for folder in ["run/glimpsed", "etc/glimpsed/credentials"] {
            var isFolder: ObjCBool = false
            #expect(
                FileManager.default.fileExists(atPath: scope.path(folder), isDirectory: &isFolder) && isFolder.boolValue
            )
        }
    }

    /// The manager's sockets equal the daemon's default sockets.
    @Test func socketsOfTheUnitFilesAreTheDefaults() throws {
        let defaults = try String(contentsOfFile: "\(Checkout.root)/config.example.toml", encoding: .utf8)
        for (unit, name) in [("glimpsed.socket", "events"), ("glimpsed-control.socket", "control")] {
            let text = try Self.text(unit)
            #expect(defaults.contains("socket = \"/run/glimpsed/\(name).sock\"\n"))
            for line in [
                "ListenStream=/run/glimpsed/\(name).sock", "FileDescriptorName=\(name)", "SocketMode=0660",
                "SocketGroup=glimpsed",
            ] {
                #expect(text.contains("\n\(line)\n"))
            }
        }
        #expect(defaults.contains("mode = \"0660\"\n") && defaults.contains("group = \"glimpsed\"\n"))
    }
}
