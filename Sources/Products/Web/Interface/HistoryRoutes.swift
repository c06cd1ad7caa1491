// SPDX-License-Identifier: Apache-2.0
import EventLog
import struct GlimpseClient.ControlClient
import func GlimpseClient.within
import Hummingbird
import JSONLines
import Observations

/// `GET /api/history`: what `glimpsed history --json` prints, and the stored pictures.
struct HistoryRoutes: Sendable {
    /// The largest picture in bytes.
    private static let largest = 64 << 20

    let control: ControlClient

    func list(_ request: Request) async throws -> Response {
        let query = request.uri.queryParameters
        var times: [String: Timestamp] = [:]
        for name in ["since", "until"] {
            guard let text = query.get(name), !text.isEmpty else { continue }
            guard let time = TimeText.parse(text) else {
                return .problem(.badRequest, "\(name) is not a time; valid forms are \(TimeText.forms)")
            }
            times[name] = time
        }
        let limit = query.get("limit") ?? "100"
        guard let limit = Int(limit), (1...1000).contains(limit) else {
            return .problem(.badRequest, "limit must be a whole number from 1 to 1000")
        }
        var json = JSONWriter()
        json.object { json in
            json.object("history") { json in
                for (name, time) in times { json.member(dynamicKey: name, time.rfc3339) }
                for name in ["pipeline", "kind", "zone"] {
                    if let text = query.get(name), !text.isEmpty { json.member(dynamicKey: name, text) }
                }
                if let text = query.get("text"), !text.isEmpty { json.member("value", "*\(text)*") }
                json.member("limit", limit)
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
