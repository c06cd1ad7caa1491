// SPDX-License-Identifier: Apache-2.0
import struct GlimpseClient.ControlClient
import func GlimpseClient.within
import Hummingbird
import JSONLines

/// `GET /api/history`: what `glimpsed history --json` prints, and the stored pictures.
struct HistoryRoutes: Sendable {
    /// The largest picture in bytes.
    private static let largest = 64 << 20

    let control: ControlClient

    func list(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        let common = try ListQuery(request)
        var json = JSONWriter()
        json.object { json in
            json.object("history") { json in
                common.write(to: &json)
                for name in ["pipeline", "kind", "zone"] {
                    if let text = query.get(name), !text.isEmpty { json.member(dynamicKey: name, text) }
                }
                if let text = query.get("text"), !text.isEmpty { json.member("value", "*\(text)*") }
            }
        }
        do {
            return .json(try await control.ask(json.bytes))
        } catch let problem as ControlClient.Problem {
            return .problem(problem)
        }
    }

    /// The parameter `id` is `RUN_ID:SEQ` of an entry.
    func picture(_ context: WebContext) async throws -> Response {
        let parts = (context.parameters.get("id") ?? "").split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let sequence = UInt64(parts[1]) else {
            return .problem(.badRequest, "an entry's id is RUN_ID:SEQ")
        }
        var json = JSONWriter()
        json.object { json in
            json.object("picture") { json in
                json.member("run_id", String(parts[0]))
                json.member("seq", sequence)
                json.member("viewer", "page \(context.peer)")
            }
        }
        let request = json.bytes
        do {
            let jpeg = try await within(control.patience) { try await control.bytes(request, most: Self.largest) }
            return Response(
                status: .ok, headers: [.contentType: "image/jpeg"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: jpeg)))
        } catch ControlClient.Problem.refused(let reason) {
            return .problem(.notFound, reason)
        } catch let problem as ControlClient.Problem {
            return .problem(problem)
        }
    }
}
