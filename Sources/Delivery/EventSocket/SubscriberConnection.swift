import EventLines
import EventLog
import Glibc
import NIOCore
import Observations
import UnixSocket

/// Does what a `Subscriber` says on its channel. All decisions are over there.
///
/// Lines go straight to the socket as long as it takes them. The rest of what it did not take waits in the channel, which owns the socket
/// and has it written when there is room; until that is done, nothing more is made for this subscriber.
final class SubscriberConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What one turn may write before others get theirs.
    private static let turnBytes = 1 << 20

    // First what a batch looks at that is taken whole, as in `Subscriber`.
    /// The channel's.
    private let descriptor: CInt
    /// Admitted, and the channel has not ended. A channel tells of its end before anything else happens, so its descriptor is no other
    /// connection's while this holds.
    private var isOpen: Bool { context != nil }
    private var isPumping = false
    private var isFinishing = false
    /// It waits for steps.
    private var isQueued = false
    /// The channel would have read, and has not.
    private var isReadHeld = false
    /// Writes that wait in the channel.
    private var queued = 0
    private var context: ChannelHandlerContext?
    private var written: UInt64 = 0
    private var subscriber: Subscriber
    private let socket: EventSocket
    private let admission: Admission.Place
    /// Among the socket's connections.
    var place = 0

    /// - Parameters:
    ///   - descriptor: the channel's, which owns it.
    ///   - admission: held as long as the connection.
    init(socket: EventSocket, descriptor: CInt, admission: Admission.Place) {
        self.descriptor = descriptor
        self.socket = socket
        self.admission = admission
        subscriber = Subscriber(
            server: socket.configuration.server, limits: socket.configuration.limits, at: .now)
    }

    // MARK: Channel

    func channelActive(context: ChannelHandlerContext) {
        let moment = Moment.now
        if let reason = socket.admit(self) {
            let line = ByteBuffer(bytes: refusalLine(reason, at: moment))
            context.writeAndFlush(wrapOutboundOut(line)).assumeIsolated().whenComplete { _ in
                context.close(promise: nil)
            }
            return
        }
        self.context = context
        subscriber.connected(at: moment)
        pump(socket.stream.log, at: moment)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: TimeAmount(Subscriber.holdTime)) {
            let (connection, moment) = (bound.value, Moment.now)
            connection.subscriber.holdEnded(at: moment)
            connection.socket.interestMayChange()
            connection.pump(connection.socket.stream.log, at: moment)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard self.context != nil else { return }
        subscriber.received(unwrapInboundIn(data).readableBytesView)
    }

    /// Who asks faster than it is answered, or than it reads the answers, waits in its own socket.
    func read(context: ChannelHandlerContext) {
        isReadHeld = subscriber.isAsking
        if !isReadHeld { context.read() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        pump(socket.stream.log, at: .now)
    }

    func channelInactive(context: ChannelHandlerContext) {
        guard self.context != nil else { return }
        self.context = nil
        socket.forget(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        socket.logger.debug("a subscriber's connection failed: \(error)")
        context.close(promise: nil)
    }

    // MARK: For the socket

    func wantsTracks(ofPipeline pipeline: Int, kinds: Set<FeatureKind>, _ log: EventLog) -> Bool {
        subscriber.wantsTracks(ofPipeline: pipeline, kinds: kinds, log)
    }

    func wantsSearch(ofPipeline pipeline: Int, kind: FeatureKind, _ log: EventLog) -> Bool {
        subscriber.wantsSearch(ofPipeline: pipeline, kind: kind, log)
    }

    var asksForFrames: Bool { subscriber.asksForFrames }

    func wantsFrames(ofPipeline pipeline: Int, kinds: Set<FeatureKind>, _ log: EventLog) -> Bool {
        subscriber.wantsFrames(ofPipeline: pipeline, kinds: kinds, log)
    }

    /// How many lines of its detector before it a frame's line stands for, if it is to be written now; else nil.
    func takeFrame(_ event: EncodedEvent, ofPipeline pipeline: Int, _ log: EventLog, at moment: Moment) -> Int? {
        let hasRoom = queued == 0 && isOpen && !isPumping && !isQueued && !isFinishing
        return subscriber.takeFrame(event, ofPipeline: pipeline, hasRoom: hasRoom, log, at: moment)
    }

    /// Writes what the subscriber is to have, as far as its socket takes it.
    func pump(_ log: EventLog, at moment: Moment) {
        guard let context, queued == 0, !isPumping, !isQueued else { return }
        isPumping = true
        let share = socket.steps.share(at: moment.instant)
        var steps = share
        defer {
            isPumping = false
            socket.steps.spend(share - steps)
        }
        let turn = written
        while self.context != nil, queued == 0 {
            if steps <= 0, subscriber.takesSteps(log) {
                isQueued = true
                return socket.steps.wait(self)
            }
            guard written - turn < Self.turnBytes else { return pumpAgain(context) }
            guard !subscriber.isAsking else {
                perform(subscriber.nextAnswers(log, at: moment, steps: &steps), log)
                if !subscriber.isAsking { answered(context) }
                continue
            }
            let actions = subscriber.nextWrites(log, at: moment, steps: &steps)
            if actions.isEmpty, steps > 0 || !subscriber.takesSteps(log) {
                if subscriber.isBehind(log) { return pumpAgain(context) }
                break
            }
            perform(actions, log)
        }
        if isFinishing, !subscriber.isFetching, self.context != nil, queued == 0 {
            closeWhenFlushed(context)
        }
    }

    /// It is its turn to take steps.
    func goOn(_ log: EventLog, at moment: Moment) {
        isQueued = false
        pump(log, at: moment)
    }

    private func answered(_ context: ChannelHandlerContext) {
        socket.interestMayChange()
        guard isReadHeld, self.context != nil else { return }
        isReadHeld = false
        context.read()
    }

    /// Whether all of a new batch is what its socket is to have next. Then it counts as sent: `write` it.
    func takeWhole(_ batch: FreshBatch, at moment: Moment) -> Bool {
        queued == 0 && isOpen && !isPumping && !isQueued && !isFinishing
            && subscriber.takeWhole(batch, at: moment.instant)
    }

    /// Writes lines that `takeWhole` or `takeFrame` accepted.
    func write(_ lines: ByteBuffer) { write(lines, isAlone: true) }

    /// The server stops: everything that there is, then the end.
    func finish(_ log: EventLog, at moment: Moment) {
        isFinishing = true
        subscriber.holdEnded(at: moment.advanced(by: Subscriber.holdTime))
        pump(log, at: moment)
    }

    func timePassed(at moment: Moment) {
        guard let context else { return }
        let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        let actions = subscriber.timePassed(drained: written - UInt64(waiting), isWaiting: waiting > 0, at: moment)
        perform(actions, socket.stream.log)
    }

    func cut(reason: String) {
        guard let context else { return }
        socket.logger.notice("subscriber disconnected: \(reason)")
        context.close(promise: nil)
    }

    // MARK: Effects

    private func perform(_ actions: [Subscriber.Action], _ log: EventLog) {
        let isAlone = actions.count == 1
        for action in actions {
            guard let context else { return }
            switch action {
            case .send(let lines): write(ByteBuffer(bytes: lines), isAlone: isAlone)
            case .sendRecords(let sequences): write(socket.bytes(of: sequences, log), isAlone: isAlone)
            case .fetch(let sequence): fetch(from: sequence, context)
            case .close(let reason):
                context.flush()
                cut(reason: reason)
            }
        }
        if !isAlone { context?.flush() }
    }

    /// What is too old for the memory comes from disk, while everybody else goes on.
    private func fetch(from sequence: UInt64, _ context: ChannelHandlerContext) {
        let (bound, loop) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.eventLoop)
        let fetched: @Sendable (ArchivePage) -> Void = { page in
            loop.execute { bound.value.fetched(page) }
        }
        guard let archive = socket.configuration.archive else {
            return fetched(ArchivePage(sequences: sequence..<sequence))
        }
        archive.read(from: sequence, bytes: Subscriber.pageBytes, fetched)
    }

    private func fetched(_ page: ArchivePage) {
        guard context != nil else { return }
        subscriber.fetched(page)
        pump(socket.stream.log, at: .now)
    }

    /// - Parameter isAlone: nothing is written with it. What is written together leaves the channel in one system call.
    private func write(_ bytes: ByteBuffer, isAlone: Bool) {
        guard isOpen else { return }
        written += UInt64(bytes.readableBytes)
        let sent = isAlone && queued == 0 ? send(bytes) : 0
        if sent < bytes.readableBytes { enqueue(bytes, after: sent, isAlone: isAlone) }
    }

    private func enqueue(_ bytes: ByteBuffer, after sent: Int, isAlone: Bool) {
        guard let context else { return }
        var rest = bytes
        rest.moveReaderIndex(forwardBy: sent)
        queued += 1
        context.write(wrapOutboundOut(rest)).assumeIsolated().whenSuccess { [self] in
            queued -= 1
            if queued == 0 { pump(socket.stream.log, at: .now) }
        }
        if isAlone { context.flush() }
    }

    /// - Returns: how much of it the socket took. What is wrong with the socket the channel finds out.
    private func send(_ bytes: ByteBuffer) -> Int {
        assert(context?.channel.isActive == true, "a channel says that it ends when it ends")
        let flags = CInt(MSG_DONTWAIT | MSG_NOSIGNAL)
        return bytes.withUnsafeReadableBytes { max(0, Glibc.send(descriptor, $0.baseAddress, $0.count, flags)) }
    }

    private func pumpAgain(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { bound.value.pump(bound.value.socket.stream.log, at: .now) }
    }

    private func closeWhenFlushed(_ context: ChannelHandlerContext) {
        isFinishing = false
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }
}
