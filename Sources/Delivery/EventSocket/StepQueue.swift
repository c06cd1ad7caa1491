import EventLog
import NIOCore
import Observations

/// Subscribers that wait for steps of the allowance that all share: first come, first served, a share each.
///
/// Between two turns the loop looks at its sockets: a turn ends after a millisecond, however slow the machine's steps are, and the next one
/// is not due at once, because NIO runs every task that is due before it looks at sockets again.
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

    /// How many steps a subscriber may take now.
    func share(at instant: ContinuousClock.Instant) -> Int { allowance.share(at: instant) }

    func spend(_ steps: Int) { if steps > 0 { allowance.spend(steps) } }

    /// The connection is told to go on, not before this turn of the loop is over.
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
        // Who needs more than its share is at the end of the queue again.
        while allowance.share(at: moment.instant) > 0, let connection = waiting.popFirst() {
            connection.goOn(log, at: moment)
            if ContinuousClock.now - moment.instant >= Self.longestTurn { break }
        }
        isScheduled = false
        if !waiting.isEmpty { schedule() }
    }
}
