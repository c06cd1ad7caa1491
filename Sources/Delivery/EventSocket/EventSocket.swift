import EventLines
import EventLog
import Logging
import NIOCore
import NIOPosix
import Observations
import UnixSocket

/// Serves the event stream on a Unix socket to any number of subscribers.
///
/// Lives on one event loop, the log's: call everything there. Each batch of events is made into bytes once, when the first subscriber
/// needs it, and all of them write slices of that.
package final class EventSocket: StreamSink {
    package struct Configuration: Sendable {
        package var path: String
        package var mode: UInt32
        /// Name or number; empty = leave it.
        package var group: String
        /// A socket that listens already, which is this one's from now on; nil to make one.
        package var passed: CInt?
        /// Who may subscribe, and how often at a time.
        package var policy: PeerPolicy
        package var maximumPerUser: Int
        package var maximumSubscribers: Int
        package var limits: Subscriber.Limits
        /// Name and version for `hello`.
        package var server: String
        /// Where events are that the memory has no more; nil: nowhere.
        package var archive: (any ArchiveReader)?

        package init(
            path: String, mode: UInt32, group: String, policy: PeerPolicy = .everybody, maximumPerUser: Int = .max,
            maximumSubscribers: Int, limits: Subscriber.Limits,
            server: String, archive: (any ArchiveReader)? = nil
        ) {
            self.path = path
            self.mode = mode
            self.group = group
            self.policy = policy
            self.maximumPerUser = maximumPerUser
            self.maximumSubscribers = maximumSubscribers
            self.limits = limits
            self.server = server
            self.archive = archive
        }
    }

    let configuration: Configuration
    let stream: EventStream
    let logger: Logger
    let eventLoop: any EventLoop
    private let file: SocketFile?
    private var listener: SocketListener?
    private let admission: Admission
    /// Each knows its place here.
    private var connections: [SubscriberConnection] = []
    private var batch = EventBatch()
    let steps: StepQueue
    private var heap = HeapTrim(at: Moment.now.instant)
    private var ticks: RepeatedTask?
    private(set) var isStopping = false
    private var stopped: EventLoopPromise<Void>?

    /// Binds, listens and follows `stream`.
    ///
    /// - Throws: `SocketError`.
    package init(
        configuration: Configuration, stream: EventStream, eventLoop: any EventLoop, logger: Logger
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
        steps = StepQueue(stream: stream, eventLoop: eventLoop)
        self.logger = logger
        admission = Admission(
            "events", configuration.policy, maximumPerUser: configuration.maximumPerUser, logger: logger)
        file = listening.file
        for warning in listening.warnings { logger.warning("\(warning)") }
        stream.attach(self)
        listen(on: listening.descriptor)
        scheduleTicks()
    }

    /// Who may subscribe from now on; those who are connected stay.
    package func allow(_ policy: PeerPolicy, maximumPerUser: Int) {
        eventLoop.preconditionInEventLoop()
        admission.change(policy, maximumPerUser: maximumPerUser)
    }

    /// How many are connected now.
    package var subscribers: Int { connections.count }

    /// Called when subscribers came or went, or may want something else than before; at most every 10 ms, as it looks at each of them.
    package var interestChanged: () -> Void = {}
    private static let interestInterval = TimeAmount.milliseconds(10)
    private var interestTold = NIODeadline.distantPast
    private var isInterestDue = false

    /// Whether there is a subscriber that track lines of one of these kinds from the pipeline may concern. One that has just come counts
    /// when its first request is there, or its time for one has passed.
    package func hasSubscriber(toPipeline pipeline: String, kinds: Set<FeatureKind>) -> Bool {
        eventLoop.preconditionInEventLoop()
        let log = stream.log
        guard let index = log.index(ofPipeline: pipeline) else { return false }
        return connections.contains { $0.wantsTracks(ofPipeline: index, kinds: kinds, log) }
    }

    /// The same for the lines of a pipeline's live search.
    package func hasSubscriber(toSearchOf pipeline: String, kind: FeatureKind) -> Bool {
        eventLoop.preconditionInEventLoop()
        let log = stream.log
        guard let index = log.index(ofPipeline: pipeline) else { return false }
        return connections.contains { $0.wantsSearch(ofPipeline: index, kind: kind, log) }
    }

    /// The pipelines whose `frame` lines a subscriber wants.
    ///
    /// - Parameter kinds: by pipeline, the kinds of features that it finds.
    package func pipelinesWithWantedFrames(_ kinds: [String: Set<FeatureKind>]) -> Set<String> {
        eventLoop.preconditionInEventLoop()
        let askers = connections.filter(\.asksForFrames)
        guard !askers.isEmpty else { return [] }
        let log = stream.log
        return Set(
            kinds.keys.filter { name in
                guard let index = log.index(ofPipeline: name), let kinds = kinds[name] else { return false }
                return askers.contains { $0.wantsFrames(ofPipeline: index, kinds: kinds, log) }
            })
    }

    package func eventsRecorded(_ sequences: Range<UInt64>, in log: EventLog) {
        eventLoop.preconditionInEventLoop()
        guard !connections.isEmpty else { return }
        batch = EventBatch(sequences: sequences)
        let (moment, fresh) = (Moment.now, FreshBatch(sequences, log))
        var lines: ByteBuffer?
        for connection in connections {
            guard let fresh, connection.takeWhole(fresh, at: moment) else {
                connection.pump(log, at: moment)
                continue
            }
            let all = lines ?? bytes(of: sequences, log)
            lines = all
            connection.write(all)
        }
    }

    package func frameProcessed(_ event: EncodedEvent, ofPipeline pipeline: Int, in log: EventLog) {
        eventLoop.preconditionInEventLoop()
        let moment = Moment.now
        var whole: ByteBuffer?
        for connection in connections {
            guard let leftOut = connection.takeFrame(event, ofPipeline: pipeline, log, at: moment) else { continue }
            guard leftOut == 0 else {
                connection.write(ByteBuffer(bytes: event.line(standingFor: leftOut)))
                continue
            }
            let line = whole ?? ByteBuffer(bytes: event.line)
            whole = line
            connection.write(line)
        }
    }

    /// Leaves connections to come to the next daemon, where the socket is the service manager's: they wait for it, and are not refused.
    package func leaveConnectionsToCome() {
        eventLoop.preconditionInEventLoop()
        guard configuration.passed != nil else { return }
        listener?.close()
        listener = nil
    }

    /// Takes no more connections, gives every subscriber what it has not got yet, closes, and unlinks the socket.
    ///
    /// - Parameter limit: subscribers that have not read everything by then are cut off.
    /// - Returns: done when all connections are closed.
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
                connection.cut(reason: "did not read in time at the end")
            }
        }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
        finishIfEmpty()
        return promise.futureResult
    }

    // MARK: For connections

    /// - Returns: why the connection is refused; nil when it is in.
    func admit(_ connection: SubscriberConnection) -> String? {
        eventLoop.preconditionInEventLoop()
        if isStopping { return "the server is stopping" }
        guard connections.count < configuration.maximumSubscribers else {
            return "too many subscribers: events.max_subscribers is \(configuration.maximumSubscribers)"
        }
        connection.place = connections.count
        connections.append(connection)
        return nil
    }

    func forget(_ connection: SubscriberConnection) {
        eventLoop.preconditionInEventLoop()
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

    /// The lines of records, shared with everybody who gets them now.
    func bytes(of sequences: Range<UInt64>, _ log: EventLog) -> ByteBuffer {
        batch.bytes(of: sequences, log)
    }

    // MARK: Shell

    private func finishIfEmpty() {
        guard isStopping, connections.isEmpty else { return }
        stopped?.succeed()
    }

    /// Peers are asked for who they are before a byte of them is read, on the listener's thread.
    private func listen(on descriptor: CInt) {
        let (bound, admission, eventLoop) = (NIOLoopBound(self, eventLoop: eventLoop), admission, eventLoop)
        listener = SocketListener(descriptor, name: "glimpsed.events") { descriptor in
            switch admission.verdict(on: descriptor) {
            case .admitted(let place): eventLoop.execute { bound.value.accept(descriptor, place) }
            case .refused(let reason):
                SocketListener.refuse(descriptor, with: refusalLine(reason, at: .now))
            }
        }
    }

    /// Every connection is on the log's loop, so that an event reaches every socket without changing threads.
    private func accept(_ descriptor: CInt, _ place: Admission.Place) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        ClientBootstrap(group: eventLoop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        SubscriberConnection(socket: bound.value, descriptor: descriptor, admission: place))
                }
            }
            .withConnectedSocket(descriptor)
            .assumeIsolated()
            .whenFailure { self.logger.warning("a subscriber's connection failed: \($0)") }
    }

    private func scheduleTicks() {
        let shortest = min(configuration.limits.stall, configuration.limits.heartbeat)
        let interval = min(max(TimeAmount(shortest) / 4, .milliseconds(10)), .seconds(1))
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        ticks = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            let moment = Moment.now
            for connection in bound.value.connections { connection.timePassed(at: moment) }
            bound.value.heap.timePassed(at: moment.instant)
        }
    }
}

extension TimeAmount {
    fileprivate static func / (amount: TimeAmount, divisor: Int64) -> TimeAmount {
        .nanoseconds(amount.nanoseconds / divisor)
    }
}
