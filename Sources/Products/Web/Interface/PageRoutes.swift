// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// The page's files, the one-time link, and `/healthz`.
struct PageRoutes: Sendable {
    let files: PageFiles
    let sessions: Sessions
    let watch: EventSocketWatch

    func file(_ request: Request) -> Response {
        guard let file = files[request.uri.path] else { return .problem(.notFound, "there is no such page") }
        let headers: HTTPFields = [.contentType: file.type, .eTag: file.tag, .cacheControl: "no-cache"]
        if request.headers[.ifNoneMatch] == file.tag { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }

    /// Begins a session. The code was in the address, so the answer leads away from it.
    func logIn(_ request: Request) -> Response {
        guard let code = request.uri.queryParameters.get("code"), let secret = sessions.begin(code: code) else {
            return .problem(.unauthorized, "the link is used or too old; for another one run: glimpsed web open")
        }
        var response = Response.redirect(to: "/")
        response.headers[.setCookie] = "\(Gate.cookie)=\(secret); Path=/; HttpOnly; SameSite=Strict"
        return response
    }

    func health() -> Response {
        let isConnected = watch.isConnected
        return Response(
            status: isConnected ? .ok : .serviceUnavailable, headers: [.contentType: "text/plain"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: isConnected ? "connected\n" : "not connected\n")))
    }
}
