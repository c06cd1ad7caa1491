import Events
import Logging
import NIOCore
import NIOPosix
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
        package var maximumSubscribers: Int
        package var limits: Subscriber.Limits
        /// Name and version for `hello`.
        package var server: String

        package init(
            path: String, mode: UInt32, group: String, maximumSubscribers: Int, limits: Subscriber.Limits,
            server: String
        ) {
            self.path = path
            self.mode = mode
            self.group = group
            self.maximumSubscribers = maximumSubscribers
            self.limits = limits
            self.server = server
        }
    }

    let configuration: Configuration
    let stream: EventStream
    let logger: Logger
    let eventLoop: any EventLoop
    private let file: SocketFile?
    private var listener: (any Channel)?
    private var connections: [ObjectIdentifier: SubscriberConnection] = [:]
    private var batch = EventBatch()
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
        self.logger = logger
        file = listening.file
        for warning in listening.warnings { logger.warning("\(warning)") }
        stream.attach(self)
        accept(on: listening.descriptor)
        scheduleTicks()
    }

    /// How many are connected now.
    package var subscribers: Int { connections.count }

    package func eventsRecorded(_ sequences: Range<UInt64>, in log: EventLog) {
        guard !connections.isEmpty else { return }
        batch = EventBatch(sequences: sequences)
        let moment = Moment.now
        for connection in connections.values { connection.pump(log, at: moment) }
    }

    /// Takes no more connections, gives every subscriber what it has not got yet, closes, and unlinks the socket.
    ///
    /// - Parameter limit: subscribers that have not read everything by then are cut off.
    /// - Returns: done when all connections are closed.
    package func stop(within limit: TimeAmount) -> EventLoopFuture<Void> {
        if let stopped { return stopped.futureResult }
        let promise = eventLoop.makePromise(of: Void.self)
        stopped = promise
        isStopping = true
        ticks?.cancel()
        file?.remove()
        listener?.close(promise: nil)
        let (log, moment) = (stream.log, Moment.now)
        for connection in connections.values { connection.finish(log, at: moment) }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let deadline = eventLoop.scheduleTask(in: limit) {
            for connection in bound.value.connections.values {
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
        if isStopping { return "the server is stopping" }
        guard connections.count < configuration.maximumSubscribers else {
            return "too many subscribers: events.max_subscribers is \(configuration.maximumSubscribers)"
        }
        connections[ObjectIdentifier(connection)] = connection
        return nil
    }

    func forget(_ connection: SubscriberConnection) {
        connections[ObjectIdentifier(connection)] = nil
        heap.connectionEnded()
        finishIfEmpty()
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

    private func accept(on descriptor: CInt) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        // The parent and all children share the log's loop, so that an event reaches every socket without changing threads.
        ServerBootstrap(group: eventLoop, childGroup: eventLoop)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .serverChannelOption(.maxMessagesPerRead, value: 64)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 64 * 1024, high: 256 * 1024))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Nothing is read from a subscriber that does not read its answers: what it may ask for is longer than asking.
                    try channel.pipeline.syncOperations.addHandlers(
                        BackPressureHandler(), SubscriberConnection(socket: bound.value))
                }
            }
            .withBoundSocket(descriptor)
            .assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success(let channel):
                    self.listener = channel
                    if self.isStopping { channel.close(promise: nil) }
                case .failure(let error):
                    self.logger.critical("cannot accept subscribers on \(self.configuration.path): \(error)")
                }
            }
    }

    private func scheduleTicks() {
        let shortest = min(configuration.limits.stall, configuration.limits.heartbeat)
        let interval = min(max(TimeAmount(shortest) / 4, .milliseconds(10)), .seconds(1))
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        ticks = eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            let moment = Moment.now
            for connection in bound.value.connections.values { connection.timePassed(at: moment) }
            bound.value.heap.timePassed(at: moment.instant)
        }
    }
}

extension TimeAmount {
    fileprivate static func / (amount: TimeAmount, divisor: Int64) -> TimeAmount {
        .nanoseconds(amount.nanoseconds / divisor)
    }
}
