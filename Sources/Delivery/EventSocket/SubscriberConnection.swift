// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
import Glibc
import NIOCore
import Observations
import UnixSocket

/// Carries out the actions of a `Subscriber` on its channel. The `Subscriber` makes all decisions.
///
/// Lines go directly to the socket as long as it takes them. The remaining bytes wait in the channel, which owns the
/// socket and writes them when it has room. Until then no further lines are made for this subscriber.
final class SubscriberConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The highest number of bytes written before other connections get a turn.
    private static let turnBytes = 1 << 20

    // The fields that `takeWhole` reads come first, as in `Subscriber`.
    /// The channel owns this descriptor.
    private let descriptor: CInt
    /// Whether the connection is admitted and its channel has not ended. A channel reports its end before any other
    /// event, so its descriptor cannot belong to another connection while this holds.
    private var isOpen: Bool { context != nil }
    private var isPumping = false
    private var isFinishing = false
    /// Whether the connection waits for steps.
    private var isQueued = false
    /// Whether a read of the channel is held back.
    private var isReadHeld = false
    /// The number of writes that wait in the channel.
    private var queued = 0
    private var context: ChannelHandlerContext?
    private var written: UInt64 = 0
    private var subscriber: Subscriber
    private let socket: EventSocket
    private let admission: Admission.Place
    /// The index in the socket's array of connections.
    var place = 0
    /// The user who connected.
    var user: uid_t { admission.user }

    /// - Parameters:
    ///   - descriptor: the channel's descriptor, owned by the channel.
    ///   - admission: kept as long as the connection exists.
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

    /// Holds back reading while requests are unanswered. So a peer that asks faster than it reads waits in its own
    /// socket.
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

    /// The number of `gap` lines sent on this connection.
    var gaps: UInt64 { subscriber.gaps }

    /// The bytes that the subscriber has not taken yet, in the channel and in the memory journal.
    func waitingBytes(_ log: EventLog) -> Int {
        let inChannel = (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return inChannel + subscriber.bytesBehind(log)
    }

    var isPassive: Bool { subscriber.isPassive }

    var asksForLines: Bool { subscriber.asksForLines }

    func requestedLines(
        ofPipeline pipeline: Int, kinds: Set<FeatureKind>, _ log: EventLog
    ) -> RequestedLines {
        subscriber.requestedLines(ofPipeline: pipeline, kinds: kinds, log)
    }

    /// The number of the detector's earlier lines of this type that this line replaces; nil if the line is not to be
    /// written now.
    func takeRequested(_ event: EncodedEvent, ofPipeline pipeline: Int, _ log: EventLog, at moment: Moment) -> Int? {
        let hasRoom = queued == 0 && isOpen && !isPumping && !isQueued && !isFinishing
        return subscriber.takeRequested(event, ofPipeline: pipeline, hasRoom: hasRoom, log, at: moment)
    }

    /// Writes the lines that the subscriber is due, as far as its socket takes them.
    ///
    /// - Parameter share: the steps of a turn in the queue; nil: those that a subscriber may take without one.
    func pump(_ log: EventLog, at moment: Moment, share: Int? = nil) {
        guard let context, queued == 0, !isPumping, !isQueued else { return }
        isPumping = true
        let share = share ?? socket.steps.share(at: moment.instant)
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

    /// Continues with new steps from the queue.
    func goOn(_ log: EventLog, at moment: Moment, share: Int) {
        isQueued = false
        pump(log, at: moment, share: share)
    }

    private func answered(_ context: ChannelHandlerContext) {
        socket.interestMayChange()
        guard isReadHeld, self.context != nil else { return }
        isReadHeld = false
        context.read()
    }

    /// Whether the whole batch is the next write of this connection. If true, the batch counts as sent and the caller
    /// must `write` it.
    func takeWhole(_ batch: FreshBatch, at moment: Moment) -> Bool {
        queued == 0 && isOpen && !isPumping && !isQueued && !isFinishing
            && subscriber.takeWhole(batch, at: moment.instant)
    }

    /// Writes a line that `takeRequested` accepted.
    func write(_ line: [UInt8]) { line.withUnsafeBytes { write($0) } }

    /// Writes lines in up to two pieces, directly to the socket. Bytes that it does not take wait in the channel.
    func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .init(start: nil, count: 0)) {
        guard isOpen, !first.isEmpty else { return }
        written += UInt64(first.count + second.count)
        var sent = queued == 0 ? send(first) : 0
        if sent == first.count, !second.isEmpty { sent += send(second) }
        guard sent < first.count + second.count else { return }
        var rest = ByteBuffer(bytes: first.dropFirst(sent))
        rest.writeBytes(second.dropFirst(max(0, sent - first.count)))
        enqueue(rest)
    }

    /// Sends all remaining lines and then ends the connection, because the server stops.
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

    /// Only the last action can be another one than sending. Lines that belong together leave in one system call.
    private func perform(_ actions: [Subscriber.Action], _ log: EventLog) {
        if actions.count == 1, case .sendRecords(let sequences) = actions[0] {
            return log.journal.withLines(of: sequences) { write($0, $1) }
        }
        write(actions.lines(log))
        switch actions.last {
        case .fetch(let sequence): fetch(from: sequence)
        case .close(let reason): cut(reason: reason)
        case .send, .sendRecords, nil: break
        }
    }

    /// Reads events that are no longer in memory from disk, while all other connections continue.
    private func fetch(from sequence: UInt64) {
        guard let context else { return }
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

    private func enqueue(_ bytes: ByteBuffer) {
        guard let context else { return }
        queued += 1
        context.writeAndFlush(wrapOutboundOut(bytes)).assumeIsolated().whenSuccess { [self] in
            queued -= 1
            if queued == 0 { pump(socket.stream.log, at: .now) }
        }
    }

    /// The channel finds out about errors.
    ///
    /// - Returns: the number of bytes that the socket took.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        assert(context?.channel.isActive == true, "the channel closed without a call of channelInactive")
        return max(0, Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL)))
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
