// SPDX-License-Identifier: Apache-2.0
import EventLog
import NIOCore
import Observations

/// The queue of subscribers that wait for steps of the shared work budget. It is served in order of arrival, one share
/// each.
///
/// The event loop examines its sockets between two turns. A turn ends after one millisecond on any machine. The next
/// turn is delayed, because NIO runs every due task before it examines the sockets again.
final class StepQueue {
    private static let longestTurn = Duration.milliseconds(1)
    private static let pause = TimeAmount.microseconds(200)

    private let stream: EventStream
    private let eventLoop: any EventLoop
    private var allowance = WorkBudget(at: Moment.now.instant)
    private var waiting = CircularBuffer<SubscriberConnection>()
    private var isScheduled = false

    init(stream: EventStream, eventLoop: any EventLoop) {
        self.stream = stream
        self.eventLoop = eventLoop
    }

    /// The number of steps that a subscriber may take now.
    func share(at instant: ContinuousClock.Instant) -> Int { allowance.share(at: instant) }

    func spend(_ steps: Int) { if steps > 0 { allowance.spend(steps) } }

    /// Adds a connection, which continues after the current turn of the event loop at the earliest.
    func wait(_ connection: SubscriberConnection) {
        waiting.append(connection)
        if !isScheduled { schedule() }
    }

    private func schedule() {
        isScheduled = true
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let isAnyLeft = allowance.share(at: Moment.now.instant) > 0
        eventLoop.scheduleTask(in: isAnyLeft ? Self.pause : TimeAmount(WorkBudget.interval)) { bound.value.serve() }
    }

    private func serve() {
        let (log, moment) = (stream.log, Moment.now)
        // A subscriber that needs more than its share returns to the end of the queue.
        while allowance.share(at: moment.instant) > 0, let connection = waiting.popFirst() {
            connection.goOn(log, at: moment)
            if ContinuousClock.now - moment.instant >= Self.longestTurn { break }
        }
        isScheduled = false
        if !waiting.isEmpty { schedule() }
    }
}
