// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// Applies the access policy to requests, and gives every response its headers.
struct Gate: Sendable {
    static let cookie = "glimpse"

    let policy: AccessPolicy
    let sessions: Sessions

    /// The response to a request that is not admitted; nil for one that is.
    func refusal(of request: Request) -> Response? {
        let visit = AccessPolicy.Visit(
            method: request.method.rawValue, path: request.uri.path, host: request.head.authority,
            origin: request.headers[.origin], isKnown: hasToken(request) || hasSession(request))
        switch policy.verdict(on: visit) {
        case .admitted: return nil
        case .wrongHost:
            return .problem(.misdirectedRequest, "this name is not the page's: add it to allowed_hosts")
        case .wrongOrigin: return .problem(.forbidden, "the request comes from another site")
        case .unknown:
            var response = Response.problem(
                .unauthorized, "a token or a session is required; for a link run: glimpsed web open")
            response.headers[.wwwAuthenticate] = "Bearer"
            return response
        }
    }

    func hasToken(_ request: Request) -> Bool { sessions.isToken(authorization: request.headers[.authorization]) }

    private func hasSession(_ request: Request) -> Bool {
        request.cookies[Self.cookie].map { sessions.isSession($0.value) } ?? false
    }

    /// The headers of every response: the Content Security Policy forbids scripts and styles inside HTML, and frames.
    static func harden(_ response: inout Response) {
        response.headers[.contentSecurityPolicy] =
            "default-src 'self'; img-src 'self' blob:; media-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; "
            + "form-action 'self'"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[referrerPolicy] = "no-referrer"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    }

    // The name is valid by the grammar of fields.
    private static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .xContentTypeOptions
}
