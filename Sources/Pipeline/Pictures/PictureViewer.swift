#if canImport(Glibc)
    import Glibc
#endif

/// A program that reads a pipeline's pictures from a stream socket. Belongs to one queue.
final class PictureViewer {
    /// A viewer that takes no byte of a picture for this time is disconnected.
    static let patience = Duration.seconds(30)

    /// In pixels.
    let width: Int
    let interval: Duration
    /// When the next picture may leave.
    private(set) var due: ContinuousClock.Instant
    private(set) var sent: UInt64 = 0
    /// Pictures that the viewer did not get, because it had not read an earlier one.
    private(set) var lost: UInt64 = 0
    private(set) var isGone = false
    private let descriptor: CInt
    /// The rest of a picture that the socket did not take.
    private var unsent: ArraySlice<UInt8> = []
    private var stuckSince: ContinuousClock.Instant?

    /// Takes ownership of the descriptor, a stream socket.
    ///
    /// - Parameter rate: pictures a second, from 1.
    init(_ descriptor: CInt, width: Int, rate: Int, now: ContinuousClock.Instant) {
        self.descriptor = descriptor
        self.width = width
        interval = .seconds(1) / max(1, rate)
        due = now
    }

    /// Ends the connection at the viewer too: other processes may have this socket.
    deinit {
        shutdown(descriptor, CInt(SHUT_RDWR))
        close(descriptor)
    }

    var isBehind: Bool { !unsent.isEmpty }

    /// Notices a viewer that has closed its connection.
    func check() {
        var poll = pollfd(fd: descriptor, events: 0, revents: 0)
        if Glibc.poll(&poll, 1, 0) > 0 { isGone = true }
    }

    /// Counts the picture as the one of this turn, and sends it if the viewer has read all earlier ones.
    func take(_ record: [UInt8], at now: ContinuousClock.Instant) {
        // The mean rate is kept where frames come between two turns. An early turn moves the later ones.
        due = due > now || now - due > interval ? now + interval : due + interval
        flush(at: now)
        guard !isGone else { return }
        guard !isBehind else {
            lost += 1
            return
        }
        unsent = record[...]
        sent += 1
        flush(at: now)
    }

    /// Sends the rest of a picture as far as the socket takes it.
    func flush(at now: ContinuousClock.Instant) {
        while !unsent.isEmpty, !isGone {
            let count = unsent.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
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
