// SPDX-License-Identifier: Apache-2.0
import ControlSocket
import Dispatch
import Glibc
import NIOCore

extension ConnectionHandover {
    /// The longest wait for a peer that takes no bytes of a file.
    private static let patience: CInt = 10_000

    /// Copies a file to the connection within the kernel (sendfile(2)), and closes both.
    ///
    /// - Parameter queue: a concurrent queue.
    static func sending(
        _ file: CInt, _ size: Int, on queue: DispatchQueue, _ eventLoop: any EventLoop
    ) -> ConnectionHandover {
        ConnectionHandover { peer, close in
            // A duplicate stays valid while the connection closes.
            let duplicate = fcntl(peer, F_DUPFD_CLOEXEC, 0)
            queue.async {
                send(file, size, to: duplicate)
                Glibc.close(duplicate)
                eventLoop.execute(close)
            }
        } end: {
            queue.async(flags: .barrier) { Glibc.close(file) }
        }
    }

    private static func send(_ file: CInt, _ size: Int, to peer: CInt) {
        var offset = 0
        while offset < size {
            var place = off_t(offset)
            let count = sendfile(peer, file, &place, size - offset)
            if count > 0 {
                offset += count
                continue
            }
            guard count < 0, errno == EAGAIN || errno == EINTR else { return }
            var writable = pollfd(fd: peer, events: Int16(POLLOUT), revents: 0)
            guard poll(&writable, 1, patience) > 0 else { return }
        }
    }
}
