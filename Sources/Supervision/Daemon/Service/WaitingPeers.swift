// SPDX-License-Identifier: Apache-2.0
import ControlSocket
import EventLog
import Glibc
import ServiceManager
import UnixSocket

/// The peers that connected to the service manager's sockets before a daemon that cannot start.
///
/// While such a peer waits, the manager starts the daemon again and again.
package enum WaitingPeers {
    /// The capacity of a socket's backlog: SOMAXCONN.
    private static let most = 4096

    /// Sends each waiting peer the reason and closes its connection.
    package static func refuse(_ reason: String) {
        var sockets = PassedSockets.take()
        if let socket = sockets.take("events") { refuse(socket, with: refusalLine(reason, at: .now)) }
        if let socket = sockets.take("control") { refuse(socket, with: ControlReply.failed(reason).line(for: nil)) }
    }

    static func refuse(_ socket: CInt, with line: [UInt8]) {
        for _ in 0..<most {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { return }
            _ = fcntl(connection, F_SETFL, O_NONBLOCK)
            SocketListener.refuse(connection, with: line)
        }
    }
}
