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

    private let source: any DispatchSourceRead

    /// - Parameters:
    ///   - descriptor: listening and non-blocking; the listener takes ownership.
    ///   - name: the label of its queue.
    ///   - accepted: called on the listener's queue with a connection: non-blocking, closed on exec, and owned by the
    ///     callee.
    package init(_ descriptor: CInt, name: String, accepted: @escaping @Sendable (CInt) -> Void) {
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

    package func close() { source.cancel() }

    /// Sends the reason and closes the connection. A new socket has room for one line.
    package static func refuse(_ descriptor: CInt, with line: [UInt8]) {
        _ = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        Glibc.close(descriptor)
    }
}
