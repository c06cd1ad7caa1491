// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc

/// Accepts connections on its own queue and hands over their descriptors.
///
/// NIO's server channel is not used, because it does not provide the descriptor needed to ask the kernel about
/// the peer.
package final class SocketListener {
    /// The pause in microseconds after descriptors or memory ran out, when an immediate retry would fail again.
    private static let pause: UInt32 = 200_000

    /// The most connections that wait to be accepted. They wait in one queue for all users, so a user who fills it
    /// delays the others. Beside a flood, a greeting takes 69 ms (p99) with `SOMAXCONN`, 24 with 512, 21 with 256, and
    /// 17 with 128.
    private static let backlog: CInt = 128

    private let descriptor: CInt
    private let source: any DispatchSourceRead

    /// - Parameters:
    ///   - descriptor: listening and non-blocking; the listener takes ownership.
    ///   - name: the label of its queue.
    ///   - accepted: called on the listener's queue with a connection: non-blocking, closed on exec, and owned by the
    ///     callee.
    package init(_ descriptor: CInt, name: String, accepted: @escaping @Sendable (CInt) -> Void) {
        self.descriptor = descriptor
        listen(descriptor, Self.backlog)
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: name))
        source.setEventHandler {
            while true {
                // accept4(2), which sets both flags at once, is hidden behind _GNU_SOURCE. Children inherit no
                // descriptors in any case.
                let connection = accept(descriptor, nil, nil)
                if connection >= 0 {
                    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                    _ = fcntl(connection, F_SETFL, O_NONBLOCK)
                    accepted(connection)
                } else if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
                    usleep(Self.pause)
                    return
                } else if errno != EINTR, errno != ECONNABORTED {
                    return
                }
            }
        }
        source.setCancelHandler { Glibc.close(descriptor) }
        source.activate()
    }

    /// Another process that has the socket accepts the connections that come from now on.
    package func close() {
        // Until then, as many may wait as the kernel permits.
        listen(descriptor, SOMAXCONN)
        source.cancel()
    }

    /// Sends the reason and closes the connection. A new socket has room for one line.
    package static func refuse(_ descriptor: CInt, with line: [UInt8]) {
        _ = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        Glibc.close(descriptor)
    }
}
