// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /api/events`: the event stream as server-sent events (HTML Living Standard, "Server-sent events").
struct EventRoute: Sendable {
    let socket: String
    let viewers: Places

    func respond(to request: Request) -> Response {
        let query = request.uri.queryParameters
        func list(_ name: String) -> [String]? {
            let items = query.get(name)?.split(separator: ",").map(String.init) ?? []
            return items.isEmpty ? nil : items
        }
        var filter = Filter(
            pipelines: list("pipelines"), kinds: list("kinds"), types: list("types"), labels: list("labels"),
            passive: true)
        if query.get("stages") == "1" { filter.stages = true }
        if query.get("frames") == "1" { filter.frames = true }
        if query.get("explain") == "1" { filter.explain = true }
        guard let position = Self.position(request.headers[Self.lastEventID] ?? query.get("after")) else {
            return .problem(.badRequest, "the last event's id must be RUN_ID:SEQ")
        }
        guard viewers.take() else { return .problem(.serviceUnavailable, "too many streams of events") }
        let subscription = Subscription(socket: socket, filter: filter, after: position.value)
        let viewers = viewers
        let body = ResponseBody { writer in
            defer { viewers.leave() }
            let stream = writer
            try? await request.body.consumeWithCancellationOnInboundClose { _ in
                var writer = stream
                try await Self.write(subscription, to: &writer)
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", Self.accelBuffering: "no"], body: body)
    }

    private static func write(_ subscription: Subscription, to writer: inout any ResponseBodyWriter) async throws {
        var run = ""
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
        for await event in subscription {
            if case .hello(let hello) = event.content { run = hello.runID }
            guard let text = text(event, run: run) else { continue }
            try await writer.write(ByteBuffer(bytes: text))
        }
    }

    /// One server-sent event; nil for a line that only concerns the connection to the daemon.
    static func text(_ event: Event, run: String) -> [UInt8]? {
        var text: [UInt8] = []
        switch event.content {
        case .hello: return Array(": connected\n\n".utf8)
        case .ping: return Array(": ping\n\n".utf8)
        case .disconnected: return Array(": the daemon is not connected\n\n".utf8)
        case .state: text += Array("event: state\n".utf8)
        case .refused: text += Array("event: refused\n".utf8)
        case .gap(let gap):
            text += Array("event: gap\n".utf8)
            if let last = gap.to { text += Array("id: \(run):\(last)\n".utf8) }
        default: break
        }
        if let position = event.position { text += Array("id: \(position.runID ?? run):\(position.sequence)\n".utf8) }
        return text + Array("data: ".utf8) + event.json + Array("\n\n".utf8)
    }

    /// The position of `RUN_ID:SEQ`; a nil value for a text that is absent or empty; nil for another text.
    static func position(_ text: String?) -> (value: Position?, Void)? {
        guard let text, !text.isEmpty else { return (nil, ()) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.count <= 64, let sequence = UInt64(parts[1]) else {
            return nil
        }
        return (Position(runID: String(parts[0]), sequence: sequence), ())
    }

    // The names are valid by the grammar of fields.
    private static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .ifMatch
    /// Asks nginx to pass each event on at once.
    private static let accelBuffering = HTTPField.Name("X-Accel-Buffering") ?? .via
}
