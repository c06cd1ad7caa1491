// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import UnixSocket

/// Admitted connections on their way from the listener's thread to the event loop.
///
/// A flood of connections would keep the event loop busy for as long as it lasts. So the loop takes them in turns of
/// `LoopTurns`, and users take turns within them. `max_per_user` bounds the queue.
final class ArrivalQueue: Sendable {
    struct Arrival: Sendable {
        let descriptor: CInt
        let place: Admission.Place

        /// Whether the peer has closed the connection. A peer that has closed only its own side still reads.
        var isAbandoned: Bool {
            var socket = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&socket, 1, 0) == 1 && socket.revents & Int16(POLLHUP) != 0
        }
    }

    private struct State {
        var waiting = TurnQueue<Arrival>()
        var isScheduled = false
    }

    private let state = Mutex(State())
    private let turns: LoopTurns
    private let take: @Sendable (Arrival) -> Void

    /// - Parameter take: called on the event loop with each connection, whose descriptor it owns.
    init(turns: LoopTurns, take: @escaping @Sendable (Arrival) -> Void) {
        (self.turns, self.take) = (turns, take)
    }

    /// Owns the descriptor until it is taken. May be called from any thread.
    func append(_ arrival: Arrival) {
        let wasScheduled = state.withLock { state in
            state.waiting.append(arrival, of: arrival.place.user)
            defer { state.isScheduled = true }
            return state.isScheduled
        }
        if !wasScheduled { turns.begin(serve) }
    }

    private func serve(_ turn: LoopTurn) {
        while let arrival = popFirst() {
            // Most connections of a flood are closed before their turn, and need no channel.
            if arrival.isAbandoned { close(arrival.descriptor) } else { take(arrival) }
            if turn.isOver { return turns.goOn(serve) }
        }
    }

    /// The connection to take next. After nil, the next `append` schedules a turn.
    private func popFirst() -> Arrival? {
        state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.isScheduled = false }
            return next
        }
    }
}
