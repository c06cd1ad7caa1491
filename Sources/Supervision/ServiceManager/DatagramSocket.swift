import Glibc
import SocketAddresses

/// Sends datagrams to one Unix socket, by its name. Any thread.
package final class DatagramSocket: Sendable {
    package enum Outcome: Sendable, Equatable {
        case taken
        /// The reader is behind.
        case full
        /// errno: nobody reads there, or not so much at once.
        case failed(CInt)
    }

    private let descriptor: CInt
    private let address: UnixAddress

    /// - Parameter path: absolute, or with a leading `@` a name of the abstract kind; anything else is nobody's.
    package init?(path: String) {
        let isAbstract = path.hasPrefix("@")
        guard path.utf8.count > 1, isAbstract || path.hasPrefix("/"),
            let address = isAbstract ? UnixAddress(abstract: String(path.dropFirst())) : UnixAddress(path: path)
        else { return nil }
        descriptor = socket(AF_UNIX, CInt(bitPattern: SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.address = address
    }

    deinit { close(descriptor) }

    /// Never blocks.
    package func send(_ bytes: [UInt8]) -> Outcome {
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        let sent = address.with { sendto(descriptor, bytes, bytes.count, flags, $0, $1) }
        if sent == bytes.count { return .taken }
        return errno == EAGAIN || errno == ENOBUFS ? .full : .failed(errno)
    }
}
