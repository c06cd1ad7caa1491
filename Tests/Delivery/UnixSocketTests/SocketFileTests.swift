// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing
import UnixSocket

@Suite struct SocketFileTests {
    private let scope = TestScope()

    private func listen(_ path: String, mode: UInt32 = 0o600, group: String = "") throws -> SocketFile.Listening {
        try SocketFile.listen(path: path, mode: mode, group: group, setting: "events.socket")
    }

    @Test func aSocketFileHasItsModeAndIsRemovedAtTheEnd() throws {
        let path = scope.path("e.sock")
        let listening = try listen(path, mode: 0o640)
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(fcntl(listening.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        _ = try SocketClient(path)
        listening.file?.remove()
        #expect(lstat(path, &status) != 0)
        close(listening.descriptor)
    }

    @Test func aStaleSocketFileIsReplaced() throws {
        let path = scope.path("e.sock")
        close(try listen(path).descriptor)
        #expect(throws: SocketClient.Failure.self) { try SocketClient(path) }
        let second = try listen(path)
        _ = try SocketClient(path)
        close(second.descriptor)
    }

    @Test func aServedSocketFileIsNotReplaced() throws {
        let path = scope.path("e.sock")
        let first = try listen(path)
        #expect(
            throws: SocketError(
                "cannot serve \(path): already served by another process; stop it, or set events.socket to another path"
            )
        ) {
            try listen(path)
        }
        _ = try SocketClient(path)
        close(first.descriptor)
    }

    @Test func aFileThatIsNotASocketIsNotReplaced() throws {
        let path = scope.write("e.sock", "precious")
        #expect(throws: SocketError("cannot serve \(path): the path exists and is not a socket")) {
            try listen(path)
        }
        #expect(access(path, F_OK) == 0)
    }

    @Test func theSocketFileOfAnotherServerIsNotRemoved() throws {
        let path = scope.path("e.sock")
        let first = try listen(path)
        unlink(path)
        let second = try listen(path)
        first.file?.remove()
        #expect(access(path, F_OK) == 0)
        second.file?.remove()
        #expect(access(path, F_OK) != 0)
        close(first.descriptor)
        close(second.descriptor)
    }

    @Test func impossibleSocketPathsAreErrors() throws {
        let long = "/tmp/" + String(repeating: "x", count: 103)
        #expect(
            throws: SocketError(
                "cannot serve \(long): the path is 108 bytes long, a Unix socket's at most 107; set events.socket to a shorter one"
            )
        ) {
            try listen(long)
        }
        let nowhere = scope.path("none/e.sock")
        #expect(
            throws: SocketError(
                "cannot serve \(nowhere): the directory \(scope.folder)/none does not exist; create it, or set events.socket to another path"
            )
        ) {
            try listen(nowhere)
        }
        #expect(throws: SocketError("cannot serve a socket without a path; set events.socket")) { try listen("") }
    }

    @Test func aSocketPathOfExactlyTheLimitWorks() throws {
        let path = scope.path(String(repeating: "x", count: 107 - scope.folder.utf8.count - 1))
        #expect(path.utf8.count == 107)
        let listening = try listen(path)
        _ = try SocketClient(path)
        listening.file?.remove()
        close(listening.descriptor)
    }

    @Test func aMissingGroupOfASocketFileIsAWarning() throws {
        let path = scope.path("e.sock")
        let listening = try listen(path, group: "no-such-group-here")
        #expect(listening.warnings == ["unknown group no-such-group-here: \(path) keeps the daemon's own group"])
        close(listening.descriptor)
    }
}
