// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import Hummingbird
import NIOCore
import NIOHTTPTypes

extension ResponseBody {
    /// All bytes of a connection until its end, or until the viewer leaves.
    ///
    /// - Parameters:
    ///   - rest: the bytes of the connection that have been read already.
    ///   - channel: the viewer's.
    ///   - length: the number of bytes; nil if it is unknown.
    ///   - ended: called once, when the body has ended.
    static func relaying(
        _ connection: Connection, rest: [UInt8], _ request: Request, to channel: any Channel, length: Int? = nil,
        ended: @escaping @Sendable () -> Void
    ) -> ResponseBody {
        ResponseBody(contentLength: length) { writer in
            defer { ended() }
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                // When this returns, the kernel has all that was written, so the relay's bytes come after it.
                try await channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(bytes: rest)))
                try await StreamRelay(
                    connection, to: channel, length: length.map { $0 - rest.count }, patience: WebListener.patience
                ).run()
            }
            try await writer.finish(nil)
        }
    }
}
