// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The connection to the service manager: the socket named by $NOTIFY_SOCKET. Any thread may use it.
package final class NotifySocket: Sendable {
    private let socket: DatagramSocket

    /// - Parameter path: the value of $NOTIFY_SOCKET.
    package init?(path: String?) {
        guard let path, let socket = DatagramSocket(path: path) else { return nil }
        self.socket = socket
    }

    /// The socket of this process; nil without a service manager.
    package convenience init?() {
        self.init(path: getenv("NOTIFY_SOCKET").map { String(cString: $0) })
    }

    /// Sends a notification. The call never blocks; a manager that does not read loses the message.
    ///
    /// - Returns: whether the manager's socket took the message.
    @discardableResult
    package func send(_ notification: ServiceNotification) -> Bool {
        socket.send(Array(notification.text.utf8)) == .taken
    }
}
