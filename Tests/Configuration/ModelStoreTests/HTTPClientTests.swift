// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import HTTPClient

struct HTTPClientTests {
    private func withServer(
        _ handler: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply,
        _ body: (LoopbackServer) throws -> Void
    ) throws {
        let server = try LoopbackServer(handler)
        defer { server.stop() }
        try body(server)
    }

    @Test
    func postsABodyAndHeaders() throws {
        try withServer {
            .init(body: $0.body.reversed())
        } _: { server in
            var request = HTTPRequest(url: server.address("v1/search"), bodyLimit: 100)
            request.body = Array("abc".utf8)
            request.headers = ["Content-Type: text/plain", "X-Key: 7"]
            let (response, body) = try HTTPClient.data(request)
            #expect(response.status == 200 && response.contentLength == 3)
            #expect(body == Array("cba".utf8))
            let seen = try #require(server.requests.first)
            #expect(seen.method == "POST" && seen.path == "/v1/search")
            #expect(seen.headers["content-type"] == "text/plain" && seen.headers["x-key"] == "7")
        }
    }

    @Test
    func anEmptyBodyIsPostedToo() throws {
        try withServer { _ in
            .init()
        } _: { server in
            var request = HTTPRequest(url: server.address(""), bodyLimit: 0)
            request.body = []
            let (response, body) = try HTTPClient.data(request)
            #expect(response.status == 200 && body.isEmpty)
            #expect(server.requests.first?.method == "POST")
        }
    }

    @Test
    func anHTTPErrorStatusIsReturnedAndNotThrown() throws {
        try withServer { _ in
            .init(status: 503, body: [1])
        } _: { server in
            let (response, _) = try HTTPClient.data(HTTPRequest(url: server.address(""), bodyLimit: 10))
            #expect(response.status == 503)
        }
    }

    @Test
    func aBodyLargerThanAllowedEndsTheExchange() throws {
        try withServer { _ in
            .init(body: [UInt8](repeating: 0, count: 100_000))
        } _: { server in
            #expect(failure(HTTPRequest(url: server.address(""), bodyLimit: 99_999)) == .tooLarge)
            #expect(failure(HTTPRequest(url: server.address(""), bodyLimit: 100_000)) == nil)
        }
    }

    @Test
    func redirectsAreFollowedOnlyWhenAllowed() throws {
        try withServer { request in
            request.path == "/a" ? .init(status: 302, headers: ["Location: /b"], body: [9, 9]) : .init(body: [7])
        } _: { server in
            var request = HTTPRequest(url: server.address("a"), bodyLimit: 10)
            #expect(failure(request) == .redirect)
            request.maximumRedirects = 1
            let (_, body) = try HTTPClient.data(request)
            #expect(body == [7])
        }
    }

    @Test(arguments: ["ftp://127.0.0.1/x", "file:///etc/passwd", "/etc/passwd", ""])
    func onlyHTTPAddressesAreAccepted(url: String) {
        #expect(failure(HTTPRequest(url: url, bodyLimit: 1 << 20)) == .badRequest)
    }

    @Test
    func aRedirectToAnotherSchemeIsRefused() throws {
        try withServer { _ in
            .init(status: 302, headers: ["Location: file:///etc/passwd"])
        } _: { server in
            var request = HTTPRequest(url: server.address(""), bodyLimit: 1 << 20)
            request.maximumRedirects = 5
            #expect(failure(request) == .redirect)
        }
    }

    @Test
    func aSilentServerIsATimeout() throws {
        try withServer { _ in
            .init(body: [1, 2, 3], stall: 1)
        } _: { server in
            var request = HTTPRequest(url: server.address(""), bodyLimit: 10)
            request.timeout = .milliseconds(200)
            #expect(failure(request) == .timeout)
            request.timeout = nil
            request.idleTimeout = .seconds(1)
            #expect(failure(request) == .timeout)
        }
    }

    @Test
    func aCutConnectionIsAConnectionError() throws {
        try withServer { _ in
            .init(body: [1, 2, 3], cut: 1)
        } _: { server in
            #expect(failure(HTTPRequest(url: server.address(""), bodyLimit: 10)) == .connection)
            #expect(failure(HTTPRequest(url: "http://127.0.0.1:1/", bodyLimit: 10)) == .connection)
        }
    }

    @Test
    func anErrorOfTheReceiverEndsTheExchange() throws {
        struct Enough: Error {}
        try withServer { _ in
            .init(body: [1, 2, 3])
        } _: { server in
            #expect(throws: Enough.self) {
                try HTTPClient.perform(HTTPRequest(url: server.address(""), bodyLimit: 10)) { _, _ in throw Enough() }
            }
        }
    }

    private func failure(_ request: HTTPRequest) -> HTTPError.Kind? {
        do {
            _ = try HTTPClient.data(request)
            return nil
        } catch {
            return (error as? HTTPError)?.kind
        }
    }
}
