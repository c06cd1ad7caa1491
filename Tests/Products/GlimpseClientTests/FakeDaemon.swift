// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Pipelines
import SocketAddresses
import Synchronization

/// Serves each connection in turn what a test says, and hangs up.
final class FakeDaemon: Sendable {
    let scope = TestScope()
    var path: String { scope.path("s") }
    private let listener: Int32
    private let requests = Mutex<[String]>([])

    /// The first bytes of each connection, up to a newline; empty: it hung up.
    var received: [String] { requests.withLock(\.self) }

    /// - Parameter answers: a connection's bytes each. Those to whom the last one is given stay connected.
    init(_ answers: [String], waitsForRequest: Bool = true) {
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let isBound = UnixAddress(path: scope.path("s"))?.with { [listener] in bind(listener, $0, $1) } == 0
        guard isBound, listen(listener, 8) == 0 else { fatalError("no socket at \(scope.path("s"))") }
        _ = LaneThread(name: "fake") { [self] in
            for (index, answer) in answers.enumerated() {
                let peer = accept(listener, nil, nil)
                guard peer >= 0 else { return }
                if waitsForRequest { note(peer) }
                let bytes = Array(answer.utf8)
                _ = send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                if index < answers.count - 1 { close(peer) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func note(_ peer: Int32) {
        var line = ""
        var byte: UInt8 = 0
        while read(peer, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(Character(Unicode.Scalar(byte))) }
        requests.withLock { $0.append(line) }
    }
}
