// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /api/pipelines/NAME/picture.jpg` and `.../stream`: pictures from the pipeline's worker.
struct PictureRoutes: Sendable {
    let control: ControlClient
    let pipelines: PipelineRoutes
    let viewers: Places
    let mostRate: Int
    let mostWidth: Int

    /// The next picture.
    func picture(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let wish = wish(request, context) else { return Self.badNumber }
        guard viewers.take() else { return Self.full }
        defer { viewers.leave() }
        do {
            let picture = try await within(control.patience) { [control] in
                var connection = try await PictureConnection(wish, control)
                return await connection.picture()
            }
            guard let picture else { return .problem(.serviceUnavailable, "the pipeline gave no picture") }
            let header = picture.header
            return Response(
                status: .ok,
                headers: [
                    .contentType: "image/jpeg", Self.sequence: "\(header.seq)", Self.epoch: "\(header.epoch)",
                    Self.time: header.pts.map { "\($0)" } ?? "",
                ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.jpeg)))
        } catch let problem as ControlClient.Problem {
            return await pipelines.response(to: problem, about: wish.pipeline)
        }
    }

    /// All pictures until the viewer leaves.
    func stream(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let wish = wish(request, context) else { return Self.badNumber }
        switch request.uri.queryParameters.get("mode") ?? "jpeg" {
        case "jpeg": break
        case "h264": return try await video(request, context, wish)
        default: return .problem(.badRequest, "mode must be jpeg or h264")
        }
        guard viewers.take() else { return Self.full }
        do {
            let connection = try await PictureConnection(wish, control)
            return Response(
                status: .ok, headers: [.contentType: "application/octet-stream"],
                body: .relaying(
                    connection.connection, rest: connection.rest, request, to: context.channel,
                    ended: { viewers.leave() }))
        } catch {
            viewers.leave()
            guard let problem = error as? ControlClient.Problem else { throw error }
            return await pipelines.response(to: problem, about: wish.pipeline)
        }
    }

    /// nil if a number is none.
    private func wish(_ request: Request, _ context: WebContext) -> PictureConnection.Wish? {
        let query = request.uri.queryParameters
        guard let width = Self.number(query.get("width"), 640, most: mostWidth),
            let rate = Self.number(query.get("rate"), 10, most: mostRate),
            let pipeline = context.parameters.get("name")
        else { return nil }
        return .init(pipeline: pipeline, width: width, rate: rate, viewer: "page \(context.peer)")
    }

    /// The number of a parameter, at most `most`; nil for a text that is no number above 0.
    static func number(_ text: String?, _ standard: Int, most: Int) -> Int? {
        guard let text else { return min(standard, most) }
        return Int(text).flatMap { $0 > 0 ? min($0, most) : nil }
    }

    static let badNumber = Response.problem(.badRequest, "width and rate must be whole numbers above 0")
    static let full = Response.problem(.serviceUnavailable, "too many viewers: max_viewers are connected")
    // The names are valid by the grammar of fields.
    private static let sequence = HTTPField.Name("X-Frame-Seq") ?? .via
    static let epoch = HTTPField.Name("X-Frame-Epoch") ?? .via
    private static let time = HTTPField.Name("X-Frame-PTS") ?? .via
}
