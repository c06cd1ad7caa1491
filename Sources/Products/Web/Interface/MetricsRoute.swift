// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import GlimpseClient
import HTTPTypes
import Hummingbird
import MetricsText

/// `GET /metrics`: what `glimpsed metrics` prints, with the relay's rows.
struct MetricsRoute: Sendable {
    private struct Reply: Decodable {
        var text: String
    }

    let control: ControlClient
    var relay = ControlClient(path: RelayState.defaultSocket, patience: .seconds(1))

    func respond(to request: Request) async throws -> Response {
        let format = MetricsFormat(accept: request.headers[.accept] ?? "")
        do {
            let line = try await control.ask(Array(#"{"metrics":{"format":"\#(format.rawValue)"}}"#.utf8))
            let reply = try JSONDecoder().decode(Reply.self, from: Data(line))
            var metrics = MetricsText(continuing: Array(reply.text.utf8), format)
            if let line = await relay.greeting(), let state = RelayState(line: line) { metrics.write(state) }
            return Response(
                status: .ok, headers: [.contentType: format.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: metrics.finish())))
        } catch let problem as ControlClient.Problem {
            return .problem(problem)
        }
    }
}
