// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import WorkerChannel

/// The three pipes of a worker as channels of the event loop.
struct WorkerPipes {
    /// Receives the contents of the pipes on the event loop.
    protocol Receiver: AnyObject {
        /// - Parameter decoder: contains all bytes of the worker that no earlier call has taken.
        func outputArrived(in decoder: inout WorkerFrameDecoder, epoch: UInt64)
        /// All available bytes have been delivered.
        func outputPaused()
        func outputClosed(epoch: UInt64)
        func errorsArrived(_ bytes: ByteBufferView, epoch: UInt64)
        func errorsClosed(epoch: UInt64)
    }

    private let input: EventLoopFuture<any Channel>
    private let output: EventLoopFuture<any Channel>
    private let errors: EventLoopFuture<any Channel>

    /// Takes ownership of the descriptors of `process`.
    init(_ process: ChildProcess, epoch: UInt64, receiver: any Receiver, eventLoop: any EventLoop) {
        func bootstrap(_ handler: @escaping () -> (any ChannelHandler)?) -> NIOPipeBootstrap {
            let make = NIOLoopBound(handler, eventLoop: eventLoop)
            return NIOPipeBootstrap(group: eventLoop).channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let handler = make.value() { try channel.pipeline.syncOperations.addHandler(handler) }
                }
            }
        }
        input = bootstrap { nil }.takingOwnershipOfDescriptor(output: process.input)
        // Reads bytes that arrive together in one call, without a second read to find the end.
        output = bootstrap { OutputHandler(receiver: receiver, epoch: epoch) }
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 64 << 10))
            .channelOption(.maxMessagesPerRead, value: 1)
            .takingOwnershipOfDescriptor(input: process.output)
        errors = bootstrap { ErrorsHandler(receiver: receiver, epoch: epoch) }
            .takingOwnershipOfDescriptor(input: process.errors)
    }

    /// Sends a message. A worker that does not read is detected by its end or by missing heartbeats, not here.
    func send(_ message: some WorkerChannelMessage) {
        var frame: [UInt8] = []
        guard WorkerFrame.append(message, to: &frame) else { return }
        let buffer = ByteBuffer(bytes: frame)
        input.whenSuccess { $0.writeAndFlush(buffer, promise: nil) }
    }

    func close() {
        for channel in [input, output, errors] { channel.whenSuccess { $0.close(promise: nil) } }
    }
}

private final class OutputHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let receiver: any WorkerPipes.Receiver
    private let epoch: UInt64
    private var decoder = WorkerFrameDecoder()

    init(receiver: any WorkerPipes.Receiver, epoch: UInt64) {
        self.receiver = receiver
        self.epoch = epoch
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unwrapInboundIn(data).withUnsafeReadableBytes { decoder.append($0) }
        receiver.outputArrived(in: &decoder, epoch: epoch)
    }

    func channelReadComplete(context: ChannelHandlerContext) { receiver.outputPaused() }
    func channelInactive(context: ChannelHandlerContext) { receiver.outputClosed(epoch: epoch) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

private final class ErrorsHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let receiver: any WorkerPipes.Receiver
    private let epoch: UInt64

    init(receiver: any WorkerPipes.Receiver, epoch: UInt64) {
        self.receiver = receiver
        self.epoch = epoch
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receiver.errorsArrived(unwrapInboundIn(data).readableBytesView, epoch: epoch)
    }

    func channelInactive(context: ChannelHandlerContext) { receiver.errorsClosed(epoch: epoch) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
