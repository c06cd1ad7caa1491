import Glibc

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
    private let address: [UInt8]

    /// - Parameter path: absolute, or with a leading `@` a name of the abstract kind; anything else is nobody's.
    package init?(path: String) {
        guard path.utf8.count > 1, path.utf8.count <= 107, path.hasPrefix("/") || path.hasPrefix("@") else {
            return nil
        }
        descriptor = socket(AF_UNIX, CInt(bitPattern: SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var name = Array(path.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 } else { name.append(0) }
        address = name
    }

    deinit { close(descriptor) }

    /// Never blocks.
    package func send(_ bytes: [UInt8]) -> Outcome {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + address.count)
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        let sent = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, flags, $0, length)
            }
        }
        if sent == bytes.count { return .taken }
        return errno == EAGAIN || errno == ENOBUFS ? .full : .failed(errno)
    }
}
