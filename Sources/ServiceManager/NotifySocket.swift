import Glibc

/// The way to the service manager: the socket that $NOTIFY_SOCKET names. Any thread.
package final class NotifySocket: Sendable {
    private let descriptor: CInt
    private let address: [UInt8]

    /// - Parameter path: $NOTIFY_SOCKET's value: a path, or with a leading `@` a name of the abstract kind; anything else is nobody's.
    package init?(path: String?) {
        guard let path, path.utf8.count > 1, path.utf8.count <= 107, path.hasPrefix("/") || path.hasPrefix("@") else {
            return nil
        }
        descriptor = socket(AF_UNIX, CInt(bitPattern: SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var name = Array(path.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 } else { name.append(0) }
        address = name
    }

    /// The one of this process; nil when no manager listens.
    package convenience init?() {
        self.init(path: getenv("NOTIFY_SOCKET").map { String(cString: $0) })
    }

    deinit { close(descriptor) }

    /// Never blocks: a manager that does not read loses the message.
    ///
    /// - Returns: whether it was taken.
    @discardableResult
    package func send(_ notification: ServiceNotification) -> Bool {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + address.count)
        var text = notification.text
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        let sent = text.withUTF8 { bytes in
            withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(descriptor, bytes.baseAddress, bytes.count, flags, $0, length)
                }
            }
        }
        return sent == text.utf8.count
    }
}
