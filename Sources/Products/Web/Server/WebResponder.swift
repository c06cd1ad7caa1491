// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// From a request to its response: the gate, then the router.
struct WebResponder: Sendable {
    /// A request that ends its connection.
    struct Unwelcome: Error {}

    let gate: Gate
    let router: RouterResponder<WebContext>

    func callAsFunction(_ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
        let isEndless = request.method == .get && (request.headers[.transferEncoding] != nil || bodyLength(request) > 0)
        var response =
            isEndless
            ? .problem(.badRequest, "a GET request has no body")
            : try await respond(to: request, channel)
        Gate.harden(&response)
        try await writer.write(response: response.head, body: response.body)
        if isEndless { throw Unwelcome() }
    }

    private func respond(to request: Request, _ channel: any Channel) async throws -> Response {
        if let refusal = gate.refusal(of: request) { return refusal }
        var context = WebContext(source: .init(channel: channel, logger: WebListener.logger))
        context.hasToken = gate.hasToken(request)
        do {
            return try await router.respond(to: request, context: context)
        } catch let error as HTTPError {
            return .problem(error.status, error.body ?? error.status.reasonPhrase)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return .problem(.internalServerError, "\(error)")
        }
    }

    private func bodyLength(_ request: Request) -> Int { request.headers[.contentLength].flatMap { Int($0) } ?? 0 }
}
