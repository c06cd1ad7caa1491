// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import Hummingbird
import NIOCore
import NIOPosix

extension ResponseBody {
    /// The most bytes that one reading takes.
    private static let block = 64 << 10

    /// All bytes of a connection until its end, or until the client leaves.
    ///
    /// The connection becomes a channel of the event loop, so that a frame that arrives leaves in the same turn.
    ///
    /// - Parameters:
    ///   - rest: the bytes of the connection that have been read already.
    ///   - length: the number of bytes; nil if it is unknown.
    ///   - ended: called once, when the body has ended.
    static func relaying(
        _ connection: Connection, rest: [UInt8], _ request: Request, length: Int? = nil,
        ended: @escaping @Sendable () -> Void
    ) -> ResponseBody {
        ResponseBody(contentLength: length) { writer in
            defer { ended() }
            let stream = writer
            try? await request.body.consumeWithCancellationOnInboundClose { _ in
                var (writer, left) = (stream, length ?? .max)
                if !rest.isEmpty { try await writer.write(ByteBuffer(bytes: rest)) }
                left -= rest.count
                guard left > 0 else { return }
                try await channel(try connection.duplicate()).executeThenClose { inbound, _ in
                    for try await buffer in inbound {
                        left -= buffer.readableBytes
                        try await writer.write(buffer)
                        if left <= 0 { return }
                    }
                }
            }
            try await writer.finish(nil)
        }
    }

    /// - Parameter descriptor: a connected socket, which this call takes over.
    private static func channel(_ descriptor: CInt) async throws -> NIOAsyncChannel<ByteBuffer, Never> {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: block))
            .channelOption(.maxMessagesPerRead, value: 1)
            .withConnectedSocket(descriptor) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
            }
    }
}
