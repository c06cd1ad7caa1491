// SPDX-License-Identifier: Apache-2.0
import struct GlimpseClient.ControlClient
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSONLines

/// `GET /api/clips`: the list of clips, their videos and their events.
struct ClipRoutes: Sendable {
    private struct Announcement: Decodable {
        var bytes: Int
    }

    let control: ControlClient
    let viewers: Places

    func list(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        let common = try ListQuery(request)
        var json = JSONWriter()
        json.object { json in
            json.object("clips") { json in
                common.write(to: &json)
                if let pipeline = query.get("pipeline"), !pipeline.isEmpty { json.member("pipeline", pipeline) }
            }
        }
        do {
            return .json(try await control.ask(json.bytes))
        } catch let problem as ControlClient.Problem {
            return .problem(problem)
        }
    }

    /// A file of a clip: `NAME.mp4` or `NAME.jsonl`.
    func file(_ request: Request, _ context: WebContext) async throws -> Response {
        let types = [".mp4": "video/mp4", ".jsonl": "application/jsonl"]
        guard let pipeline = context.parameters.get("pipeline"), let file = context.parameters.get("file"),
            let (suffix, type) = types.first(where: { file.hasSuffix($0.key) }), file.count > suffix.count
        else { return .problem(.notFound, "the files of a clip are NAME.mp4 and NAME.jsonl") }
        var json = JSONWriter()
        json.object { json in
            json.object("clip") { json in
                json.member("pipeline", pipeline)
                json.member("name", String(file.dropLast(suffix.count)))
                json.member("events", suffix == ".jsonl")
                json.member("viewer", "page \(context.peer)")
            }
        }
        guard viewers.take() else { return PictureRoutes.full }
        do {
            let opened = try await control.open(json.bytes)
            let length = try JSONDecoder().decode(Announcement.self, from: Data(opened.reply)).bytes
            return Response(
                status: .ok, headers: [.contentType: type],
                body: .relaying(
                    opened.connection, rest: opened.rest, request, to: context.channel, length: length,
                    ended: { viewers.leave() }))
        } catch {
            viewers.leave()
            switch error {
            case ControlClient.Problem.refused(let reason): return .problem(.notFound, reason)
            case let problem as ControlClient.Problem: return .problem(problem)
            default: throw error
            }
        }
    }
}
