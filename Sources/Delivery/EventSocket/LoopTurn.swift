// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// One turn of a queue on the event loop.
///
/// The event loop examines its sockets between two turns. A turn ends after one millisecond on any machine. The next
/// turn is delayed, because NIO runs every due task before it examines the sockets again.
struct LoopTurn {
    static let pause = TimeAmount.microseconds(200)
    private static let longest = Duration.milliseconds(1)

    private let start = ContinuousClock.now

    var isOver: Bool { ContinuousClock.now - start >= Self.longest }
}
