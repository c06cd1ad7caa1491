// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import Foundation
import GlimpseTesting
import HTTPClient
import Observations
import Search
import Settings
import Synchronization
import Testing

@testable import SearchEngines

/// A search server with every kind of fault.
@Suite struct HTTPSearchTests {
    private let scope = TestScope()

    private func engine(
        _ url: String, timeout: Duration = patience, _ change: (inout HTTPSearchSettings) -> Void = { _ in },
        token: String? = nil
    ) -> SearchRunner {
        var settings = HTTPSearchSettings(url: url)
        settings.privateAddresses = true
        change(&settings)
        return SearchRunner(
            settings, barcodes: BarcodeReporting(), timeout: timeout,
            token: token.map(Self.giving))
    }

    private static func giving(_ token: String) -> @Sendable () throws(SearchFailure) -> String {
        { () throws(SearchFailure) -> String in token }
    }

    private var query: SearchQuery {
        let frame = FrameInfo(
            sequence: 5, presentationTime: 0, time: .epoch, clock: .file, width: 640, height: 480)
        let object = ObjectLabels(labels: [Label(text: "cup", index: 41, confidence: 0.5)])
        let detection = Detection(
            box: Box(x: 1, y: 2, width: 30, height: 40), confidence: 0.5, content: .object(object))
        return SearchQuery(
            id: "1.1", pipeline: "shop", detector: "object", track: TrackID(7), detection: detection, frame: frame,
            crop: scope.write("crop.jpg", "PICTURE"))
    }

    private func answer(_ engine: SearchRunner) async -> SearchAnswer {
        await withCheckedContinuation { done in engine.start(query) { done.resume(returning: $0) } }
    }

    /// The outcome of one answer of the server, and the number of requests.
    private func outcome(
        timeout: Duration = patience, change: (inout HTTPSearchSettings) -> Void = { _ in },
        _ reply: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply
    ) async throws -> (SearchAnswer, [LoopbackServer.Request]) {
        let server = try LoopbackServer(reply)
        defer { server.stop() }
        let answer = await answer(engine(server.address("v1"), timeout: timeout, change, token: "geheim"))
        return (answer, server.requests)
    }

    private func failure(_ answer: SearchAnswer) -> SearchFailure? {
        if case .failed(let failure) = answer { failure } else { nil }
    }

    private static let good =
        Array(
            #"{"results":[{"id":"a","confidence":0.5},{"id":"b","title":"Bottle","confidence":0.9,"picture":"b.jpg","#
                .utf8)
        + Array(#""payload":{"price":[1,2.5,null,true,"€"]},"new":1}],"more":{}}"#.utf8)

    @Test func anHTTPSearchReturnsTheServersResults() async throws {
        let (answer, requests) = try await outcome { _ in .init(body: Self.good) }
        #expect(
            answer
                == .results([
                    SearchResult(
                        id: "b", title: "Bottle", confidence: 0.9, picture: "b.jpg",
                        payload: #"{"price":[1,2.5,null,true,"€"]}"#),
                    SearchResult(id: "a", title: "a", confidence: 0.5),
                ]))
        let request = try #require(requests.first)
        #expect(request.method == "POST" && request.headers["authorization"] == "Bearer geheim")
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.contains("\r\nContent-Type: image/jpeg\r\n\r\nPICTURE\r\n"))
        #expect(body.contains(#""search":"1.1","pipeline":"shop""#) && body.contains(#""text":"cup""#))
        let boundary = try #require(request.headers["content-type"]?.split(separator: "boundary=").last)
        #expect(body.hasPrefix("--\(boundary)\r\n") && body.hasSuffix("--\(boundary)--\r\n"))
    }

    @Test func anHTTPSearchRetriesServerFaults() async throws {
        let (answer, requests) = try await outcome { request in
            switch request.index {
            case 0: .init(status: 503)
            case 1: .init(body: Self.good, cut: 10)
            default: .init(body: Self.good)
            }
        }
        guard case .results(let results) = answer else { throw SearchFailure(.engine, retryable: false) }
        #expect(results.count == 2 && requests.count == 3)
        let (given, all) = try await outcome(change: { $0.retries = 1 }) { _ in .init(status: 500) }
        #expect(failure(given)?.reason == .network && failure(given)?.retryable == true && all.count == 2)
    }

    @Test(arguments: [400, 401, 404])
    func anHTTPSearchDoesNotRetryARefusedRequest(status: Int) async throws {
        let (answer, requests) = try await outcome { _ in .init(status: status) }
        #expect(failure(answer)?.reason == .network && failure(answer)?.retryable == false && requests.count == 1)
        #expect(failure(answer)?.message == "the server answered with status \(status)")
    }

    @Test(arguments: [
        "", "no", "[]", "{}", #"{"results":{}}"#, #"{"results":[{}]}"#, #"{"results":[{"id":"a"}]}"#,
        #"{"results":[{"id":"","confidence":1}]}"#, #"{"results":[{"id":"a","confidence":1.5}]}"#,
        #"{"results":[{"id":"a","confidence":"1"}]}"#, #"{"results":[{"id":1,"confidence":1}]}"#,
        #"{"results":[{"id":"a","confidence":1,"title":7}]}"#, #"{"results":["#,
        "{\"results\":[{\"id\":\"\(String(repeating: "x", count: 513))\",\"confidence\":1}]}",
        "{\"results\":[{\"id\":\"a\",\"confidence\":1,\"payload\":\"\(String(repeating: "x", count: 2048))\"}]}",
        "{\"results\":\(String(repeating: "[", count: 10_000))",
    ])
    func anUnusableAnswerOfAnHTTPSearchIsAnError(body: String) async throws {
        let (answer, requests) = try await outcome { _ in .init(body: Array(body.utf8)) }
        #expect(failure(answer)?.reason == .response && failure(answer)?.retryable == true && requests.count == 1)
    }

    /// The client reads 256 KiB and closes the connection, whatever the server sends.
    @Test func anHTTPSearchRefusesAnAnswerOverTheLimit() async throws {
        let huge = Array(repeating: UInt8(ascii: " "), count: 32 << 20) + Self.good
        let (answer, _) = try await outcome { _ in .init(body: huge) }
        #expect(failure(answer)?.reason == .response && failure(answer)?.message == "the answer is too long")
    }

    /// A gigabyte in any part of the answer. The process never holds more than a small part of it, and most bytes are
    /// never sent. The server of the test before may still hold its 32 MiB.
    @Test(arguments: LoopbackServer.Flood.Place.allCases) func anHTTPSearchDoesNotHoldAnOversizedAnswer(
        place: LoopbackServer.Flood.Place
    )
        async throws
    {
        let server = try LoopbackServer { _ in .init(flood: .init(place, bytes: 1 << 30)) }
        defer { server.stop() }
        // The configuration is loaded once.
        _ = try await outcome { _ in .init(body: Self.good) }
        // Resets the peak of the process's memory: proc_pid_clear_refs(5).
        try TestFile.write(Array("5".utf8), to: "/proc/self/clear_refs")
        let before = try memory("VmRSS")
        let answer = await answer(engine(server.address("v1"), timeout: patience, { $0.retries = 0 }))
        let (peak, sent) = (try memory("VmHWM") - before, server.sentBytes)
        #expect(failure(answer)?.reason == (place == .headers ? .network : .response), "\(answer)")
        #expect(peak < 96 << 20 && sent < 48 << 20, "peak \(peak), sent \(sent)")
    }

    /// Bytes, of proc_pid_status(5).
    private func memory(_ key: String) throws -> Int {
        let line = String(decoding: try TestFile.read("/proc/self/status"), as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("\(key):") }
        return try #require(line.flatMap { Int($0.filter(\.isNumber)) }) << 10
    }

    @Test func aSlowServerTimesOutAnHTTPSearch() async throws {
        let (answer, _) = try await outcome(timeout: .milliseconds(300)) { _ in .init(body: Self.good, stall: 10) }
        #expect(failure(answer)?.reason == .timeout && failure(answer)?.retryable == true)
    }

    @Test func aCancelledHTTPSearchIsNotAnswered() async throws {
        let server = try LoopbackServer { _ in .init(body: Self.good, stall: 10) }
        defer { server.stop() }
        let engine = engine(server.address("v1"))
        let answers = Mutex(0)
        engine.start(query) { _ in answers.withLock { $0 += 1 } }
        engine.cancel("another")
        engine.cancel("1.1")
        // The next search does not wait for the cancelled one.
        let second = await answer(self.engine(server.address("v1"), timeout: .milliseconds(200)))
        #expect(failure(second)?.reason == .timeout && answers.withLock(\.self) == 0)
    }

    @Test func redirectsOfAnHTTPSearchAreRefusedUnlessAllowed() async throws {
        let target = try LoopbackServer { _ in .init(body: Self.good) }
        defer { target.stop() }
        let there = target.address("there")
        let redirect: @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply = { _ in
            .init(status: 302, headers: ["Location: \(there)"])
        }
        let (refused, _) = try await outcome(redirect)
        #expect(failure(refused)?.reason == .network && failure(refused)?.retryable == false)
        #expect(target.requests.isEmpty)
        let (followed, _) = try await outcome(change: { $0.redirects = 1 }, redirect)
        guard case .results = followed else { throw SearchFailure(.engine, retryable: false) }
        // Another host receives the picture, but not the token.
        #expect(target.requests.map(\.method) == ["POST"])
    }

    @Test func privateAddressesOfAnHTTPSearchAreRefusedUnlessAllowed() async throws {
        let server = try LoopbackServer { _ in .init(body: Self.good) }
        defer { server.stop() }
        for host in ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "2130706433"] {
            let engine = engine("http://\(host):\(server.port)/", { $0.privateAddresses = false })
            let answer = await answer(engine)
            #expect(failure(answer)?.reason == .network && failure(answer)?.retryable == false, "\(host): \(answer)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test func anHTTPSearchWithoutAServerIsAnError() async throws {
        let server = try LoopbackServer { _ in .init() }
        server.stop()
        _ = try? HTTPClient.data(HTTPRequest(url: server.address(""), bodyLimit: 0))
        let answer = await answer(engine(server.address("v1"), { $0.retries = 0 }))
        #expect(failure(answer)?.reason == .network && failure(answer)?.retryable == true)
    }

    /// A self-signed certificate, untrusted and then trusted.
    @Test func certificatesOfAnHTTPSearchAreChecked() async throws {
        let made = Program.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost", "-keyout", scope.path("key.pem"), "-out", scope.path("cert.pem"),
            ])
        #expect(made.status == 0, "\(made)")
        scope.write("answer", bytes: Self.good)
        let server = RunningProgram(
            "python3",
            [
                "-u", "-c", Self.tlsServer, scope.path("cert.pem"), scope.path("key.pem"), scope.path("answer"),
            ])
        #expect(await holds { !server.output.isEmpty })
        let port = String(decoding: server.output, as: UTF8.self).prefix { $0.isNumber }
        let url = "https://localhost:\(port)/"
        let refused = await answer(engine(url, { $0.retries = 0 }))
        #expect(failure(refused)?.reason == .network && failure(refused)?.message?.contains("certificate") == true)
        let trusted = await answer(engine(url, { $0.caFile = scope.path("cert.pem") }))
        guard case .results(let results) = trusted else { throw SearchFailure(.engine, retryable: false) }
        #expect(results.count == 2)
        // A valid certificate for another host name.
        let misnamed = await answer(
            engine(
                "https://127.0.0.1:\(port)/",
                {
                    $0.retries = 0; $0.caFile = scope.path("cert.pem")
                }))
        #expect(failure(misnamed)?.reason == .network)
        server.send(SIGTERM)
        _ = server.finish()
    }

    private static let tlsServer = """
        import http.server, ssl, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers['Content-Length']))
                body = open(sys.argv[3], 'rb').read()
                self.send_response(200)
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_port)
        server.serve_forever()
        """

    @Test func aMissingTokenOfAnHTTPSearchIsAnError() async throws {
        let settings = HTTPSearchSettings(url: "http://127.0.0.1:9/")
        let engine = SearchRunner(settings, barcodes: BarcodeReporting(), timeout: patience) {
            () throws(SearchFailure) -> String in throw SearchFailure(.engine, retryable: true, message: "no token")
        }
        #expect(failure(await answer(engine)) == SearchFailure(.engine, retryable: true, message: "no token"))
    }
}
