// SPDX-License-Identifier: Apache-2.0
/// A program that reads a pipeline's pictures from a stream socket. Belongs to one queue.
final class PictureViewer {
    /// In pixels.
    let width: Int
    let interval: Duration
    /// When the next picture may leave.
    private(set) var due: ContinuousClock.Instant
    private(set) var sent: UInt64 = 0
    /// Pictures that the viewer did not get, because it had not read an earlier one.
    private(set) var lost: UInt64 = 0
    private let socket: ViewerSocket

    /// Takes ownership of the descriptor, a stream socket.
    ///
    /// - Parameter rate: pictures a second, from 1.
    init(_ descriptor: CInt, width: Int, rate: Int, now: ContinuousClock.Instant) {
        socket = ViewerSocket(descriptor)
        self.width = width
        interval = .seconds(1) / max(1, rate)
        due = now
    }

    var isGone: Bool { socket.isGone }

    var isBehind: Bool { socket.isBehind }

    /// Notices a viewer that has closed its connection.
    func check() { socket.check() }

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
        sent += 1
        socket.send(record, at: now)
    }

    /// Sends the rest of a picture as far as the socket takes it.
    func flush(at now: ContinuousClock.Instant) { socket.flush(at: now) }
}
