import ControlSocket
import EventLog
import Glibc
import ServiceManager
import UnixSocket

/// Those who connected to the service manager's sockets before a daemon that cannot start.
///
/// While one of them waits, the manager starts the daemon again and again.
package enum WaitingPeers {
    /// What a socket has room for: SOMAXCONN.
    private static let most = 4096

    /// Tells each of them why, and hangs up.
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
