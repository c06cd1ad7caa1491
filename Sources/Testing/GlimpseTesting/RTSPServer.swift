// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A simulated network camera with a password on a port of this machine: `Tests/Support/rtsp-server.py`.
package final class RTSPServer {
    /// Whether this machine can run the server.
    package static let isAvailable =
        Program.run("/usr/bin/python3", ["-c", "import gi; gi.require_version('GstRtspServer', '1.0')"]).status == 0

    package enum Method: String, Sendable {
        case basic, digest
    }

    package static let user = "viewer"
    package let port: Int
    private let program: RunningProgram

    package var url: String { "rtsp://127.0.0.1:\(port)/test" }

    /// Starts the server and returns when it listens.
    ///
    /// - Parameters:
    ///   - port: nil selects a free port.
    ///   - size: the size of its pictures, `WIDTHxHEIGHT`.
    ///   - film: a Matroska file of H.264 video, which it sends as it is, and once; nil: a ball that moves.
    package init(
        port: Int? = nil, _ method: Method = .basic, size: String = "320x240", password: String = "geheim42",
        film: String? = nil
    ) async {
        self.port = port ?? Self.freePort()
        program = RunningProgram(
            "/usr/bin/python3",
            ["\(Checkout.root)/Tests/Support/rtsp-server.py", "\(self.port)", method.rawValue, size, password]
                + (film.map { [$0] } ?? []))
        guard await holds({ !program.output.isEmpty }) else { fatalError(program.errors) }
    }

    package func send(_ signal: Int32) { program.send(signal) }

    /// Kills the server and waits for its end, so that the port is free.
    package func kill() { _ = program.finish(within: .zero) }

    /// A port without a listener at the time of the call.
    package static func freePort() -> Int {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { fatalError("no free port: \(String(cString: strerror(errno)))") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
