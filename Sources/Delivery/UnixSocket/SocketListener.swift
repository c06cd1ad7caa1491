import Dispatch
import Glibc

/// Accepts connections on a queue of its own and hands over their descriptors.
///
/// Not NIO's server channel, which gives nobody the descriptor that the kernel's word on the peer is asked of.
package final class SocketListener {
    /// Microseconds: with no descriptor left, accepting again at once would fail again.
    private static let pause: UInt32 = 200_000

    private let source: any DispatchSourceRead

    /// - Parameters:
    ///   - descriptor: listening and non-blocking; the listener owns it from now on.
    ///   - name: of its queue.
    ///   - accepted: takes a connection: non-blocking, closed on exec, the callee's own. On the listener's queue.
    package init(_ descriptor: CInt, name: String, accepted: @escaping @Sendable (CInt) -> Void) {
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: name))
        source.setEventHandler {
            while true {
                // What accept4(2) does at once is hidden behind _GNU_SOURCE; children are given no descriptors anyway.
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

    /// Says why and hangs up. A socket that is new has room for a line.
    package static func refuse(_ descriptor: CInt, with line: [UInt8]) {
        _ = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        Glibc.close(descriptor)
    }
}
