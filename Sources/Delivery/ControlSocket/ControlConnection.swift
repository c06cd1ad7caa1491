import Glibc
import JSONLines
import NIOCore
import Observations

/// The connection of one peer. Its requests are carried out one after the other, and each gets one line of reply. The
/// next request waits until the socket has taken the previous reply, so a peer that does not read delays only itself.
final class ControlConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The highest number of waiting requests; a peer with more is disconnected.
    static let maximumWaiting = 100

    private let socket: ControlSocket
    /// The peer, for the log.
    private let user: uid_t
    private var lines = LineSplitter(limit: ControlRequest.maximumBytes - 1)
    private var waiting: [ControlRequest] = []
    private var isBusy = false
    /// Whether a command is in progress. The idle timer must not interrupt it.
    private var isFulfilling = false
    private var isEnding = false
    private var context: ChannelHandlerContext?

    init(socket: ControlSocket, user: uid_t) {
        self.socket = socket
        self.user = user
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        socket.joined(self)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        waiting.removeAll()
        socket.left(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for piece in lines.append(unwrapInboundIn(data).readableBytesView) where !isEnding {
            switch piece {
            case .line(let line) where line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }):
                continue
            case .line(let line): waiting.append(ControlRequest(line: line))
            case .tooLong:
                waiting.append(.init(id: nil, command: .failure(.init(reason: "the line is longer than 64 KiB"))))
            case .goesOn: continue
            }
            if waiting.count > Self.maximumWaiting {
                waiting = [
                    .init(
                        id: nil,
                        command: .failure(.init(reason: "more than \(Self.maximumWaiting) requests are waiting")))
                ]
                isEnding = true
            }
        }
        fulfilNext()
    }

    /// Handles the end of input and idle connections. A peer that has closed its sending side still gets its replies.
    /// An idle peer is disconnected to make room for others.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            if !isFulfilling { context.close(promise: nil) }
            return
        }
        guard let event = event as? ChannelEvent, event == .inputClosed else {
            return context.fireUserInboundEventTriggered(event)
        }
        if let rest = lines.finish(), !isEnding { waiting.append(ControlRequest(line: rest)) }
        isEnding = true
        fulfilNext()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func close() { context?.close(promise: nil) }

    private func fulfilNext() {
        guard let context, !isBusy else { return }
        guard !waiting.isEmpty else {
            if isEnding { context.close(promise: nil) }
            return
        }
        (isBusy, isFulfilling) = (true, true)
        let request = waiting.removeFirst()
        reply(to: request).hop(to: context.eventLoop).assumeIsolated().whenSuccess { [self] reply in
            isFulfilling = false
            guard let context = self.context else { return }
            let line = ByteBuffer(bytes: reply.line(for: request.id))
            context.writeAndFlush(wrapOutboundOut(line)).assumeIsolated().whenComplete { _ in
                self.isBusy = false
                self.fulfilNext()
            }
        }
    }

    private func reply(to request: ControlRequest) -> EventLoopFuture<ControlReply> {
        switch request.command {
        case .success(let command):
            socket.logger.debug("control: \(command)")
            let reply = socket.handler(command)
            if case .snapshot(let pipeline, _) = command { audit(reply, "snapshot of pipeline \(pipeline)") }
            return reply
        case .failure(let invalid): return socket.eventLoop.makeSucceededFuture(.failed(invalid.reason))
        }
    }

    /// Logs who has got which pictures, and from when to when.
    private func audit(_ reply: EventLoopFuture<ControlReply>, _ what: String) {
        let (begin, user, logger) = (Self.wallClock, user, socket.logger)
        reply.whenSuccess { reply in
            guard reply.error == nil else { return }
            logger.notice("pictures: user \(user): \(what), from \(begin.rfc3339) to \(Self.wallClock.rfc3339)")
        }
    }

    private static var wallClock: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
