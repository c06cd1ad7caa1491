// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Settings
import Testing

@testable import Assembly

@Suite struct PasswordTests {
    private let scope = TestScope()

    @Test func aPasswordIsReadFromAFile() throws {
        #expect(try PasswordSource.file(scope.write("p", "ge heim\r\nmore\n")).password() == "ge heim")
        #expect(try PasswordSource.file(scope.write("p", "geheim")).password() == "geheim")
    }

    @Test func aPasswordIsReadFromTheEnvironmentOrSystemd() throws {
        #expect(try PasswordSource.environment("X").password { $0 == "X" ? "geheim" : nil } == "geheim")
        scope.write("cam", "geheim\n")
        #expect(try PasswordSource.credential("cam").password { _ in scope.folder } == "geheim")
        // The name that systemd gives to a credential of a folder: LoadCredential=camera:/etc/glimpsed/credentials.
        scope.write("camera_door", "auch geheim\n")
        #expect(try PasswordSource.credential("door").password { _ in scope.folder } == "auch geheim")
    }

    @Test func aPasswordFileWithoutAPasswordIsRefused() {
        func error(_ source: PasswordSource) -> SourceError? {
            do throws(SourceError) {
                _ = try source.password { _ in nil }
                return nil
            } catch { return error }
        }
        let path = scope.path("p")
        #expect(error(.file(path)) == SourceError(.missing, "password file \(path): No such file or directory"))
        scope.write("p", "\nsecond line")
        #expect(error(.file(path)) == SourceError(.unreadable, "password file \(path): its first line is empty"))
        #expect(error(.file(scope.folder)) == SourceError(.unreadable, "password file \(scope.folder): Is a directory"))
        scope.write("p", String(repeating: "x", count: 2000))
        #expect(error(.file(path))?.description.contains("at most 1024 bytes") == true)
        #expect(error(.environment("X"))?.kind == .missing)
        #expect(error(.credential("x"))?.kind == .missing)
        #expect(throws: SourceError.self) { try PasswordSource.credential("x").password { _ in scope.folder } }
    }
}
