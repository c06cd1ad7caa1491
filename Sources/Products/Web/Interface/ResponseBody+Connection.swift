// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import NIOCore

extension ResponseBody {
    /// All bytes of a connection until its end, or until the client leaves.
    ///
    /// - Parameters:
    ///   - length: the number of bytes; nil if it is unknown.
    ///   - ended: called once, when the body has ended.
    static func relaying(
        _ connection: PictureConnection, _ request: Request, length: Int? = nil,
        ended: @escaping @Sendable () -> Void
    ) -> ResponseBody {
        ResponseBody(contentLength: length) { writer in
            defer { ended() }
            let stream = writer
            try? await request.body.consumeWithCancellationOnInboundClose { _ in
                var (writer, connection, left) = (stream, connection, length ?? .max)
                while left > 0, let bytes = await connection.next() {
                    left -= bytes.count
                    try await writer.write(ByteBuffer(bytes: bytes))
                }
            }
            try await writer.finish(nil)
        }
    }
}
