// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import SocketAddresses
import Synchronization

/// A connection to the daemon's socket that never blocks a thread. Only one task at a time may use it.
package final class Connection: Sendable {
    /// The reason why a connection failed or ended, as text for people.
    package struct Lost: Error {
        package let reason: String
        package var isForbidden = false

        init(_ reason: String, isForbidden: Bool = false) {
            self.reason = reason
            self.isForbidden = isForbidden
        }
    }

    package enum Input {
        case bytes([UInt8])
        /// No bytes are available yet.
        case nothing
    }

    private static let block = 64 << 10

    private let descriptor: Int32

    package init(_ path: String) throws(Lost) {
        let descriptor = Glibc.socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw Lost("cannot create a socket: \(String(cString: strerror(errno)))") }
        let code = Self.connect(descriptor, path)
        guard code == 0 else {
            close(descriptor)
            throw Lost("\(path): \(String(cString: strerror(code)))", isForbidden: code == EACCES)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// A further descriptor of the connection, which the caller closes.
    package func duplicate() throws(Lost) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Lost("cannot use the connection: \(String(cString: strerror(errno)))") }
        return copy
    }

    /// Sends one line. The socket buffer of a new connection always has room for it.
    package func send(_ line: [UInt8]) throws(Lost) {
        guard Glibc.send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else {
            throw Lost("cannot send the request: \(String(cString: strerror(errno)))")
        }
    }

    package func read() throws(Lost) -> Input {
        var code: Int32 = 0
        var isEnd = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.block) { buffer, count in
            let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if result < 0 { code = errno }
            isEnd = result == 0
            count = max(0, result)
        }
        if isEnd { throw Lost("the daemon closed the connection") }
        switch code {
        case 0: return .bytes(bytes)
        case EAGAIN, EINTR: return .nothing
        default: throw Lost("the connection broke: \(String(cString: strerror(code)))")
        }
    }

    /// Returns when the socket is readable, when the connection has ended, or when the task is cancelled.
    package func waitUntilReadable() async {
        let wait = Wait()
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait.begin(descriptor, $0) }
        } onCancel: {
            wait.end()
        }
    }

    /// - Returns: an `errno` value, or 0 on success.
    private static func connect(_ descriptor: Int32, _ path: String) -> Int32 {
        guard let address = UnixAddress(path: path) else { return ENAMETOOLONG }
        return address.with { Glibc.connect(descriptor, $0, $1) } == 0 ? 0 : errno
    }
}

/// One wait for a descriptor. The wait ends exactly once, by readability or by cancellation. It ends only after
/// Dispatch has released the descriptor.
private final class Wait: Sendable {
    private enum State {
        case new
        case waiting(any DispatchSourceRead)
        case ended
    }

    private let state = Mutex(State.new)

    func begin(_ descriptor: Int32, _ continuation: CheckedContinuation<Void, Never>) {
        state.withLock { state in
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
            source.setEventHandler { self.end() }
            source.setCancelHandler { continuation.resume() }
            source.activate()
            if case .ended = state { source.cancel() } else { state = .waiting(source) }
        }
    }

    func end() {
        state.withLock { state in
            if case .waiting(let source) = state { source.cancel() }
            state = .ended
        }
    }
}
