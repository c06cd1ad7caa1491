// SPDX-License-Identifier: Apache-2.0
import Glibc
import SocketAddresses

/// A client's end of one of the daemon's sockets. It blocks; only one thread may use it.
final class DaemonConnection {
    struct Failure: Error, CustomStringConvertible {
        var description: String
        /// Whether the daemon exists but rejects this user.
        var isForbidden = false
        /// Whether nobody serves the socket.
        var isAbsent = false
    }

    private let descriptor: Int32
    private var lines: LineBuffer

    init(_ path: String) throws(Failure) {
        guard let address = UnixAddress(path: path) else {
            throw Failure(description: "\(path): the socket path is longer than \(UnixAddress.maximumPathBytes) bytes")
        }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw Failure(description: "cannot create a socket: \(String(cString: strerror(errno)))")
        }
        guard address.with({ connect(descriptor, $0, $1) }) == 0 else {
            let code = errno
            let advice =
                switch code {
                case ENOENT, ECONNREFUSED:
                    "the daemon is not running; start it with: systemctl start glimpsed, or glimpsed run"
                case EACCES: "permission denied; join the socket's group, or use sudo"
                default: String(cString: strerror(code))
                }
            close(descriptor)
            throw Failure(
                description: "\(path): \(advice)", isForbidden: code == EACCES,
                isAbsent: code == ENOENT || code == ECONNREFUSED)
        }
        self.descriptor = descriptor
        lines = LineBuffer(descriptor)
    }

    deinit { close(descriptor) }

    /// Whether a daemon accepts connections at `path`.
    static func isServed(_ path: String) -> Bool { (try? DaemonConnection(path)) != nil }

    /// Whether no daemon serves the socket. An error such as a missing permission tells nothing, and is false.
    static func isAbsent(_ path: String) -> Bool {
        do throws(Failure) {
            _ = try DaemonConnection(path)
            return false
        } catch {
            return error.isAbsent
        }
    }

    func send(_ bytes: [UInt8]) {
        // An error is ignored: a daemon that closes the connection sends the reason as a line, or ends the stream of
        // lines.
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// The next line without its newline. Empty when no line arrived within `timeout` milliseconds; nil at the end.
    func nextLine(timeout: Int32 = -1) -> [UInt8]? { lines.next(timeout: timeout) }
}

/// Splits the bytes of a descriptor into lines.
struct LineBuffer {
    private let descriptor: Int32
    private var pending: [UInt8] = []
    private var start = 0

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// See `DaemonConnection.nextLine`.
    mutating func next(timeout: Int32) -> [UInt8]? {
        while true {
            if let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return Array(pending[start..<end])
            }
            pending.removeFirst(start)
            start = 0
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, timeout)
            if ready == 0 { return [] }
            if ready < 0, errno == EINTR { continue }
            let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
            }
            if chunk.isEmpty { return nil }
            pending += chunk
        }
    }
}
