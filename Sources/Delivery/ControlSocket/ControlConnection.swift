// SPDX-License-Identifier: Apache-2.0
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
    /// Valid while the channel is active, which owns it.
    private let descriptor: CInt
    /// The peer, for the log.
    private let user: uid_t
    private var lines = LineSplitter(limit: ControlRequest.maximumBytes - 1)
    private var waiting: [ControlRequest] = []
    private var isBusy = false
    /// Whether a command is in progress. The idle timer must not interrupt it.
    private var isFulfilling = false
    private var isEnding = false
    private var context: ChannelHandlerContext?
    /// The use of the connection after its last reply; nil while it takes requests.
    private var handover: ConnectionHandover?
    /// Logs the end of a view.
    private var tellOfEnd: (() -> Void)?

    init(socket: ControlSocket, descriptor: CInt, user: uid_t) {
        self.socket = socket
        self.descriptor = descriptor
        self.user = user
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        socket.joined(self)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        waiting.removeAll()
        handover?.end()
        tellOfEnd?()
        (handover, tellOfEnd) = (nil, nil)
        socket.left(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if handover != nil { return leave() }
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
        if handover != nil { return leave() }
        if let rest = lines.finish(), !isEnding { waiting.append(ControlRequest(line: rest)) }
        isEnding = true
        fulfilNext()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func close() { handover == nil ? context?.close(promise: nil) : leave() }

    private func fulfilNext() {
        guard let context, !isBusy else { return }
        guard !waiting.isEmpty else {
            if isEnding { context.close(promise: nil) }
            return
        }
        (isBusy, isFulfilling) = (true, true)
        let request = waiting.removeFirst()
        reply(to: request).hop(to: context.eventLoop).assumeIsolated().whenSuccess { [self] reply in
            guard let context = self.context else {
                reply.handover?.end()
                return
            }
            handover = reply.handover
            isFulfilling = handover != nil
            let line = ByteBuffer(bytes: reply.line(for: request.id))
            context.writeAndFlush(wrapOutboundOut(line)).assumeIsolated().whenComplete { _ in
                if let handover = self.handover { return self.handOver(handover, request) }
                self.isBusy = false
                self.fulfilNext()
            }
        }
    }

    /// Begins the handover. The peer sends nothing more: bytes or an end of input close the connection.
    private func handOver(_ handover: ConnectionHandover, _ request: ControlRequest) {
        guard let context else { return }
        guard !isEnding, waiting.isEmpty else { return leave() }
        if let what = request.command.picture {
            let (begin, logger) = (Self.wallClock, socket.logger)
            let what = "pictures: user \(user)\(what)"
            logger.notice("\(what), from \(begin.rfc3339)")
            tellOfEnd = { logger.notice("\(what), from \(begin.rfc3339) to \(Self.wallClock.rfc3339)") }
        }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        handover.begin(descriptor) { bound.value.leave() }
    }

    /// Ends the connection for every process that has a duplicate of its descriptor.
    private func leave() {
        guard let context else { return }
        shutdown(descriptor, CInt(SHUT_RDWR))
        context.close(promise: nil)
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

extension Result<ControlCommand, ControlRequest.Invalid> {
    private static func name(_ viewer: String?) -> String { viewer.map { " for \($0)" } ?? "" }

    /// The viewer and the pictures of a command that gives some, for the log.
    fileprivate var picture: String? {
        switch self {
        case .success(.view(let view)):
            "\(Self.name(view.viewer)): \(view.isVideo ? "video" : "view") of pipeline \(view.pipeline)"
        case .success(.clip(let clip, let viewer)):
            "\(Self.name(viewer)): \(clip.isEvents ? "events of clip" : "clip") \(clip.name) of pipeline \(clip.pipeline)"
        case .success(.picture(.entry(let place), let viewer)):
            "\(Self.name(viewer)): stored picture of event \(place.runID):\(place.sequence)"
        case .success(.picture(.file(let file), let viewer)): "\(Self.name(viewer)): stored picture \(file)"
        default: nil
        }
    }
}
