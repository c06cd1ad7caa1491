// SPDX-License-Identifier: Apache-2.0
import EventLog
import NIOCore
import Observations

/// The queue of subscribers that wait for steps of the shared work budget. Users take turns. The subscribers of a user
/// are served in order of arrival, one share each.
final class StepQueue {
    private let stream: EventStream
    private let eventLoop: any EventLoop
    private let turns: LoopTurns
    private var allowance = WorkBudget(at: Moment.now.instant)
    private var waiting = TurnQueue<SubscriberConnection>()
    private var isScheduled = false

    init(stream: EventStream, eventLoop: any EventLoop, turns: LoopTurns) {
        (self.stream, self.eventLoop, self.turns) = (stream, eventLoop, turns)
    }

    /// The number of steps that a subscriber may take now; 0 if others wait for theirs.
    func share(at instant: ContinuousClock.Instant) -> Int { waiting.isEmpty ? allowance.share(at: instant) : 0 }

    func spend(_ steps: Int) { if steps > 0 { allowance.spend(steps) } }

    /// Adds a connection, which continues after the current turn of the event loop at the earliest.
    func wait(_ connection: SubscriberConnection) {
        waiting.append(connection, of: connection.user)
        if !isScheduled { schedule() }
    }

    private func schedule() {
        isScheduled = true
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let isAnyLeft = allowance.share(at: Moment.now.instant) > 0
        turns.goOn(after: isAnyLeft ? LoopTurns.pause : TimeAmount(WorkBudget.interval)) { bound.value.serve($0) }
    }

    private func serve(_ turn: LoopTurn) {
        let (log, moment) = (stream.log, Moment.now)
        // A subscriber that needs more than its share returns to the end of its user's queue.
        while case let share = allowance.share(at: moment.instant), share > 0, let connection = waiting.popFirst() {
            connection.goOn(log, at: moment, share: share)
            if turn.isOver { break }
        }
        isScheduled = false
        if !waiting.isEmpty { schedule() }
    }
}
