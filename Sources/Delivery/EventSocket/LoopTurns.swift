// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization

/// The turns of a queue on the event loop.
///
/// The event loop examines its sockets between two turns. Each turn is delayed, because NIO runs every due task before
/// it examines the sockets again. Beside busy processes the loop can lose its processor for longer than that delay, so
/// a turn also waits for the next tick.
final class LoopTurns: Sendable {
    static let pause = TimeAmount.microseconds(200)

    private let eventLoop: any EventLoop
    private let ticks: LoopTicks?
    /// The tick of the newest turn; only the event loop uses it.
    private let newest = Atomic(UInt64.max)

    /// - Parameter ticks: those of the event loop; nil: turns are delayed, but do not wait for a tick.
    init(eventLoop: any EventLoop, ticks: LoopTicks?) {
        (self.eventLoop, self.ticks) = (eventLoop, ticks)
    }

    /// Runs `turn` on the event loop at once, or in the next tick if a turn has run in this one. May be called from any
    /// thread.
    func begin(_ turn: @escaping @Sendable (LoopTurn) -> Void) {
        eventLoop.execute { self.run(turn) }
    }

    /// Runs `turn` after a pause.
    func goOn(after pause: TimeAmount = LoopTurns.pause, _ turn: @escaping @Sendable (LoopTurn) -> Void) {
        eventLoop.scheduleTask(in: pause) { self.run(turn) }
    }

    private func run(_ turn: @escaping @Sendable (LoopTurn) -> Void) {
        if let tick = ticks?.ended, newest.exchange(tick, ordering: .relaxed) == tick { return goOn(turn) }
        turn(LoopTurn())
    }
}

/// One turn. It ends after one millisecond on any machine.
struct LoopTurn {
    private static let longest = Duration.milliseconds(1)

    private let start = ContinuousClock.now

    var isOver: Bool { ContinuousClock.now - start >= Self.longest }
}
