// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

/// The connection of a viewer, a stream socket. It holds at most one piece of data that the viewer has not taken.
/// Belongs to one queue.
final class ViewerSocket {
    /// A viewer that takes no byte of a piece for this time is disconnected.
    static let patience = Duration.seconds(30)

    private(set) var isGone = false
    private let descriptor: CInt
    private var unsent: ArraySlice<UInt8> = []
    private var stuckSince: ContinuousClock.Instant?

    /// Takes ownership of the descriptor.
    init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Ends the connection at the viewer too: other processes may have this socket.
    deinit {
        shutdown(descriptor, CInt(SHUT_RDWR))
        close(descriptor)
    }

    /// Whether the viewer has not taken the whole last piece.
    var isBehind: Bool { !unsent.isEmpty }

    /// Notices a viewer that has closed its connection.
    func check() {
        var poll = pollfd(fd: descriptor, events: 0, revents: 0)
        if Glibc.poll(&poll, 1, 0) > 0 { isGone = true }
    }

    /// Sends a piece as far as the socket takes it. The viewer must have taken the last one.
    func send(_ piece: [UInt8], at now: ContinuousClock.Instant) {
        unsent = piece[...]
        flush(at: now)
    }

    /// Sends the rest of a piece as far as the socket takes it.
    func flush(at now: ContinuousClock.Instant) {
        while !unsent.isEmpty, !isGone {
            let count = unsent.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
            }
            if count > 0 {
                unsent = unsent.dropFirst(count)
                stuckSince = nil
            } else if errno == EAGAIN {
                stuckSince = stuckSince ?? now
                if let stuckSince, now - stuckSince > Self.patience { isGone = true }
                return
            } else if errno != EINTR {
                isGone = true
            }
        }
    }
}
