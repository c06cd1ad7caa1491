// SPDX-License-Identifier: Apache-2.0
import Glibc
import SocketAddresses

/// Sends datagrams to one Unix socket, addressed by its name. Any thread may use it.
package final class DatagramSocket: Sendable {
    package enum Outcome: Sendable, Equatable {
        case taken
        /// The receiver's queue is full.
        case full
        /// The error number: the socket has no receiver, or the datagram is too long.
        case failed(CInt)
    }

    private let descriptor: CInt
    private let address: UnixAddress

    /// - Parameter path: an absolute path, or an abstract name with a leading `@`. Any other text gives nil.
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

    /// Sends one datagram. The call never blocks.
    package func send(_ bytes: [UInt8]) -> Outcome {
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        let sent = address.with { sendto(descriptor, bytes, bytes.count, flags, $0, $1) }
        if sent == bytes.count { return .taken }
        return errno == EAGAIN || errno == ENOBUFS ? .full : .failed(errno)
    }
}
