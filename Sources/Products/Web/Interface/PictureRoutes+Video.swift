// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import struct GlimpseClient.ControlClient
import func GlimpseClient.within
import HTTPTypes
import Hummingbird

/// `GET /api/pipelines/NAME/stream?mode=h264`: the camera's own video as fragmented MP4.
extension PictureRoutes {
    /// The line that the worker writes before the video.
    private struct Begin: Decodable {
        var epoch: UInt64?
        var codec: String?
        /// The reason why there is no video.
        var error: String?
    }

    func video(_ request: Request, _ context: WebContext, _ wish: PictureConnection.Wish) async throws -> Response {
        guard viewers.take() else { return Self.full }
        do {
            var wish = wish
            wish.isVideo = true
            let (asked, control) = (wish, control)
            let (connection, line) = try await within(control.patience) {
                var connection = try await PictureConnection(asked, control)
                let line = await connection.line()
                return (connection, line)
            }
            let begin = try line.map { try JSONDecoder().decode(Begin.self, from: Data($0)) }
            if let epoch = begin?.epoch, let codec = begin?.codec {
                return Response(
                    status: .ok,
                    headers: [.contentType: "video/mp4; codecs=\"\(codec)\"", Self.epoch: "\(epoch)"],
                    body: .relaying(
                        connection.connection, rest: connection.rest, request, to: context.channel,
                        ended: { viewers.leave() }))
            }
            viewers.leave()
            guard let reason = begin?.error else { return .problem(.serviceUnavailable, "the pipeline gave no video") }
            return .problem(.conflict, "the camera's own video cannot be passed on: \(reason)")
        } catch {
            viewers.leave()
            guard let problem = error as? ControlClient.Problem else { throw error }
            return await pipelines.response(to: problem, about: wish.pipeline)
        }
    }
}
