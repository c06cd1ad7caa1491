import Glibc

/// The way to the service manager: the socket that $NOTIFY_SOCKET names. Any thread.
package final class NotifySocket: Sendable {
    private let socket: DatagramSocket

    /// - Parameter path: $NOTIFY_SOCKET's value.
    package init?(path: String?) {
        guard let path, let socket = DatagramSocket(path: path) else { return nil }
        self.socket = socket
    }

    /// The one of this process; nil when no manager listens.
    package convenience init?() {
        self.init(path: getenv("NOTIFY_SOCKET").map { String(cString: $0) })
    }

    /// Never blocks: a manager that does not read loses the message.
    ///
    /// - Returns: whether it was taken.
    @discardableResult
    package func send(_ notification: ServiceNotification) -> Bool {
        socket.send(Array(notification.text.utf8)) == .taken
    }
}
