// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
import Logging
import NIOCore
import NIOPosix
import Observations
import UnixSocket

/// Serves the event stream on a Unix socket to any number of subscribers.
///
/// It belongs to the log's event loop; all calls must be made there. All subscribers are sent the bytes of the
/// memory journal.
package final class EventSocket: StreamSink {
    let configuration: Configuration
    let stream: EventStream
    let logger: Logger
    let eventLoop: any EventLoop
    private let file: SocketFile?
    private var listener: SocketListener?
    private let admission: Admission
    /// Each connection stores its index in this array.
    private var connections: [SubscriberConnection] = []
    private var delivery = DurationHistogram()
    /// The `gap` lines of connections that have ended.
    private var earlierGaps: UInt64 = 0
    let steps: StepQueue
    private var heap = HeapTrim(at: Moment.now.instant)
    private var ticks: RepeatedTask?
    private(set) var isStopping = false
    private var stopped: EventLoopPromise<Void>?

    /// Binds, listens and follows `stream`.
    ///
    /// - Parameter loopTicks: those of the event loop; without them a flood may delay other users longer.
    /// - Throws: `SocketError`.
    package init(
        configuration: Configuration, stream: EventStream, eventLoop: any EventLoop, loopTicks: LoopTicks? = nil,
        logger: Logger
    ) throws(SocketError) {
        eventLoop.preconditionInEventLoop()
        let listening =
            if let passed = configuration.passed {
                SocketFile.adopt(passed, path: configuration.path, setting: "events.socket")
            } else {
                try SocketFile.listen(
                    path: configuration.path, mode: configuration.mode, group: configuration.group,
                    setting: "events.socket")
            }
        self.configuration = configuration
        self.stream = stream
        self.eventLoop = eventLoop
        steps = StepQueue(
            stream: stream, eventLoop: eventLoop, turns: LoopTurns(eventLoop: eventLoop, ticks: loopTicks))
        self.logger = logger
        admission = Admission(
            "events", configuration.policy, maximumPerUser: configuration.maximumPerUser, logger: logger)
        file = listening.file
        for warning in listening.warnings { logger.warning("\(warning)") }
        stream.attach(self)
        listen(on: listening.descriptor, loopTicks)
        scheduleTicks()
    }

    /// Changes the policy for new connections. Existing connections stay.
    package func allow(_ policy: PeerPolicy, maximumPerUser: Int) {
        eventLoop.preconditionInEventLoop()
        admission.change(policy, maximumPerUser: maximumPerUser)
    }

    /// The number of connected subscribers.
    package var subscribers: Int { connections.count }

    /// The metrics of all subscribers together.
    package var metrics: SubscriberMetrics {
        eventLoop.preconditionInEventLoop()
        let log = stream.log
        var metrics = SubscriberMetrics(subscribers: connections.count, gaps: earlierGaps, delivery: delivery)
        for connection in connections {
            metrics.gaps += connection.gaps
            metrics.waitingBytes += connection.waitingBytes(log)
        }
        return metrics
    }

    /// Called when subscribers arrive, leave, or change their requests. The interval is at least 10 ms, because the
    /// callee examines each subscriber.
    package var interestChanged: () -> Void = {}
    private static let interestInterval = TimeAmount.milliseconds(10)
    private var interestTold = NIODeadline.distantPast
    private var isInterestDue = false

    /// Whether track lines of one of these kinds from the pipeline can pass the filter of some subscriber that is not
    /// passive. A new subscriber counts after its first request, or after the hold time.
    package func hasSubscriber(toPipeline pipeline: String, kinds: Set<FeatureKind>) -> Bool {
        eventLoop.preconditionInEventLoop()
        let log = stream.log
        guard let index = log.index(ofPipeline: pipeline) else { return false }
        return connections.contains { !$0.isPassive && $0.wantsTracks(ofPipeline: index, kinds: kinds, log) }
    }

    /// Whether lines of the pipeline's live search can pass some subscriber's filter. A new subscriber counts after its
    /// first request, or after the hold time.
    ///
    /// - Parameter passive: whether passive subscribers count.
    package func hasSubscriber(toSearchOf pipeline: String, kind: FeatureKind, passive: Bool = true) -> Bool {
        eventLoop.preconditionInEventLoop()
        let log = stream.log
        guard let index = log.index(ofPipeline: pipeline) else { return false }
        return connections.contains {
            (passive || !$0.isPassive) && $0.wantsSearch(ofPipeline: index, kind: kind, log)
        }
    }

    /// The lines that subscribers request, by pipeline name; nothing for a pipeline without requests.
    ///
    /// - Parameter kinds: the kinds of features that each pipeline detects, by pipeline name.
    package func requestedLines(_ kinds: [String: Set<FeatureKind>]) -> [String: RequestedLines] {
        eventLoop.preconditionInEventLoop()
        let askers = connections.filter(\.asksForLines)
        guard !askers.isEmpty else { return [:] }
        let log = stream.log
        var requested: [String: RequestedLines] = [:]
        for (name, kinds) in kinds {
            guard let index = log.index(ofPipeline: name) else { continue }
            requested[name] = askers.reduce(into: []) { lines, asker in
                lines.formUnion(asker.requestedLines(ofPipeline: index, kinds: kinds, log))
            }
        }
        return requested
    }

    package func eventsRecorded(_ sequences: Range<UInt64>, in log: EventLog) {
        eventLoop.preconditionInEventLoop()
        guard !connections.isEmpty else { return }
        let moment = Moment.now
        if let fresh = FreshBatch(sequences, log) {
            log.journal.withLines(of: sequences) { first, second in
                for connection in connections {
                    if connection.takeWhole(fresh, at: moment) {
                        connection.write(first, second)
                    } else {
                        connection.pump(log, at: moment)
                    }
                }
            }
        } else {
            for connection in connections { connection.pump(log, at: moment) }
        }
        let now = MonotonicClock.nanoseconds
        for made in stream.made where made.time <= now {
            delivery.record(microseconds: (now - made.time) / 1000, times: made.count)
        }
    }

    package func requestedLineArrived(_ event: EncodedEvent, ofPipeline pipeline: Int, in log: EventLog) {
        eventLoop.preconditionInEventLoop()
        let moment = Moment.now
        var whole: [UInt8]?
        for connection in connections {
            guard let leftOut = connection.takeRequested(event, ofPipeline: pipeline, log, at: moment) else { continue }
            guard leftOut == 0 else {
                connection.write(event.line(standingFor: leftOut))
                continue
            }
            let line = whole ?? event.line
            whole = line
            connection.write(line)
        }
    }

    /// Leaves new connections on a socket of the service manager to the next daemon. They wait for that daemon and are
    /// not refused.
    package func leaveConnectionsToCome() {
        eventLoop.preconditionInEventLoop()
        guard configuration.passed != nil else { return }
        listener?.close()
        listener = nil
    }

    /// Refuses new connections, sends every subscriber its remaining events, closes the connections and unlinks the
    /// socket.
    ///
    /// - Parameter limit: the time after which subscribers with unread events are disconnected.
    /// - Returns: completes when all connections are closed.
    package func stop(within limit: TimeAmount) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        if let stopped { return stopped.futureResult }
        let promise = eventLoop.makePromise(of: Void.self)
        stopped = promise
        isStopping = true
        ticks?.cancel()
        file?.remove()
        listener?.close()
        listener = nil
        let (log, moment) = (stream.log, Moment.now)
        for connection in connections { connection.finish(log, at: moment) }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let deadline = eventLoop.scheduleTask(in: limit) {
            for connection in bound.value.connections {
                connection.cut(reason: "did not read the remaining events before the daemon stopped")
            }
        }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
        finishIfEmpty()
        return promise.futureResult
    }

    // MARK: For connections

    /// - Returns: the reason why the connection is refused; nil if it is admitted.
    func admit(_ connection: SubscriberConnection) -> String? {
        eventLoop.preconditionInEventLoop()
        if isStopping { return "the daemon is stopping" }
        guard connections.count < configuration.maximumSubscribers else {
            return "too many subscribers: events.max_subscribers is \(configuration.maximumSubscribers)"
        }
        connection.place = connections.count
        connections.append(connection)
        return nil
    }

    func forget(_ connection: SubscriberConnection) {
        eventLoop.preconditionInEventLoop()
        earlierGaps += connection.gaps
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.place] = last
            last.place = connection.place
        }
        heap.connectionEnded()
        interestMayChange()
        finishIfEmpty()
    }

    func interestMayChange() {
        guard !isInterestDue else { return }
        isInterestDue = true
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(deadline: max(interestTold + Self.interestInterval, .now())) {
            bound.value.isInterestDue = false
            bound.value.interestTold = .now()
            bound.value.interestChanged()
        }
    }

    // MARK: Shell

    private func finishIfEmpty() {
        guard isStopping, connections.isEmpty else { return }
        stopped?.succeed()
    }

    /// Asks the kernel for the identity of peers before the first byte is read, on the listener's thread.
    private func listen(on descriptor: CInt, _ loopTicks: LoopTicks?) {
        let (bound, admission) = (NIOLoopBound(self, eventLoop: eventLoop), admission)
        let arrivals = ArrivalQueue(turns: LoopTurns(eventLoop: eventLoop, ticks: loopTicks)) { bound.value.accept($0) }
        listener = SocketListener(descriptor, name: "glimpsed.events") { descriptor in
            switch admission.verdict(on: descriptor) {
            case .admitted(let place): arrivals.append(.init(descriptor: descriptor, place: place))
            case .refused(let reason):
                SocketListener.refuse(descriptor, with: refusalLine(reason, at: .now))
            }
        }
    }

    /// Registers every connection on the log's event loop, so that an event reaches every socket without a change of
    /// threads.
    private func accept(_ arrival: ArrivalQueue.Arrival) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        ClientBootstrap(group: eventLoop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        SubscriberConnection(
                            socket: bound.value, descriptor: arrival.descriptor, admission: arrival.place))
                }
            }
            .withConnectedSocket(arrival.descriptor)
            .assumeIsolated()
            .whenFailure { self.logger.warning("a subscriber's connection failed: \($0)") }
    }

    private func scheduleTicks() {
        let shortest = min(configuration.limits.stall, configuration.limits.heartbeat)
        let interval = min(max(TimeAmount(shortest / 4), .milliseconds(10)), .seconds(1))
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        ticks = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            let moment = Moment.now
            for connection in bound.value.connections { connection.timePassed(at: moment) }
            bound.value.heap.timePassed(at: moment.instant)
        }
    }
}
