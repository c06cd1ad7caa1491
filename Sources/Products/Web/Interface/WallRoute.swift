// SPDX-License-Identifier: Apache-2.0
import struct GlimpseClient.ControlClient
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /api/pictures`: the pictures of several pipelines in one body. A browser opens only six connections to a server
/// at a time, so a wall of many cameras cannot have a stream for each.
struct WallRoute: Sendable {
    /// The wait before a pipeline without pictures is asked again.
    private static let pause = Duration.seconds(1)

    let control: ControlClient
    let viewers: Places
    let mostRate: Int
    let mostWidth: Int

    func respond(to request: Request, _ context: WebContext) throws -> Response {
        let query = request.uri.queryParameters
        let names = query.get("pipelines")?.split(separator: ",").map(String.init) ?? []
        guard (1...viewers.most).contains(names.count), Set(names).count == names.count else {
            return .problem(.badRequest, "pipelines must be 1 to \(viewers.most) different names with commas")
        }
        guard let width = PictureRoutes.number(query.get("width"), 320, most: mostWidth),
            let rate = PictureRoutes.number(query.get("rate"), 5, most: mostRate)
        else { return PictureRoutes.badNumber }
        guard viewers.take(names.count) else { return PictureRoutes.full }
        let wishes = names.map {
            PictureConnection.Wish(pipeline: $0, width: width, rate: rate, viewer: "page \(context.peer)")
        }
        let (control, viewers) = (control, viewers)
        let body = ResponseBody { writer in
            defer { viewers.leave(wishes.count) }
            let stream = writer
            try? await request.body.consumeWithCancellationOnInboundClose { _ in
                var writer = stream
                try await Self.write(wishes, control, to: &writer)
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "application/octet-stream"], body: body)
    }

    /// Writes whole records as they come. A viewer that is slow gets the newest ones: `seq` jumps.
    private static func write(
        _ wishes: [PictureConnection.Wish], _ control: ControlClient, to writer: inout any ResponseBodyWriter
    ) async throws {
        let (records, inlet) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(wishes.count))
        let readers = Task {
            await withDiscardingTaskGroup { group in
                for wish in wishes {
                    group.addTask {
                        while !Task.isCancelled {
                            if var connection = try? await PictureConnection(wish, control) {
                                while let picture = await connection.picture() {
                                    inlet.yield(picture.record(of: wish.pipeline))
                                }
                            }
                            try? await Task.sleep(for: pause)
                        }
                    }
                }
            }
        }
        defer { readers.cancel() }
        for await record in records { try await writer.write(ByteBuffer(bytes: record)) }
    }
}
