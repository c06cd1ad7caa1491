// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The trust between a webhook and its server: signature, certificate, address.
@Suite struct WebhookTrustTests {
    private let bench = RelayBench()

    /// The receiver of docs/reference/relay.md checks the signature with Python's own HMAC.
    @Test func theReceiverOfTheDocumentationAcceptsTheSignature() async throws {
        let page = try String(contentsOfFile: "\(Checkout.root)/docs/reference/relay.md", encoding: .utf8)
        let block = try #require(page.components(separatedBy: "```python file=receiver.py\n").dropFirst().first)
        bench.scope.write("receiver.py", block.components(separatedBy: "\n```\n")[0])
        bench.configureWebhook("http://localhost:\(bench.port)/", "types = [\"detected\"]")
        bench.scope.write("other", "it is another\n")
        let stranger = RunningProgram(
            "python3", [bench.scope.path("receiver.py"), bench.scope.path("other"), "\(bench.port)"])
        bench.write("door", "connect; tracks 2")
        bench.runDaemon()
        bench.runRelay()
        #expect(
            await holds { bench.relay?.errors.contains("answers with status 403") == true },
            "\(bench.relay?.errors ?? "") \(stranger.errors)")
        #expect(stranger.output.isEmpty)
        bench.kill(stranger)
        let receiver = RunningProgram(
            "python3", [bench.scope.path("receiver.py"), bench.scope.path("secret"), "\(bench.port)"])
        #expect(await holds { receiver.output.count { $0 == UInt8(ascii: "\n") } == 2 }, "\(receiver.errors)")
        let lines = String(decoding: receiver.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("detected ") }, "\(lines)")
        #expect(bench.relay?.errors.contains(RelayBench.secret) == false)
    }

    /// An unknown authority, then the right one with a wrong name, then both right.
    @Test func aServerNeedsATrustedCertificateOfItsName() async throws {
        bench.makeCertificates()
        let server = RunningProgram(
            "python3",
            [
                "-u", "-c", Self.tlsServer, bench.scope.path("cert.pem"), bench.scope.path("key.pem"),
                "\(bench.port)",
            ])
        bench.write("door", "connect; tracks 1")
        bench.runDaemon()
        for (host, authority, problem) in [
            ("localhost", "", "SSL certificate problem"), ("127.0.0.1", "ca_file = \"ca.pem\"", "SSL: no alternative"),
        ] {
            bench.configureWebhook("https://\(host):\(bench.port)/", "types = [\"detected\"]\n\(authority)")
            bench.runRelay()
            #expect(
                await holds { bench.relay?.errors.contains(problem) == true }, "\(bench.relay?.errors ?? "")")
            bench.kill(bench.relay)
        }
        #expect(server.output.isEmpty)
        bench.configureWebhook("https://localhost:\(bench.port)/", "types = [\"detected\"]\nca_file = \"ca.pem\"")
        bench.runRelay()
        #expect(
            await holds { String(decoding: server.output, as: UTF8.self) == "POST\n" },
            "\(bench.relay?.errors ?? "") \(server.errors)")
    }

    private static let tlsServer = """
        import http.server, ssl, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers['Content-Length']))
                print('POST')
                self.send_response(204)
                self.end_headers()
        server = http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[3])), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.serve_forever()
        """

    /// libcurl reads this name as 127.0.0.1. The relay does not, and the socket refuses the address.
    @Test func aNameThatLeadsToAPrivateAddressIsRefusedUnlessAllowed() async throws {
        let server = try LoopbackServer { _ in .init() }
        defer { server.stop() }
        bench.write("door", "connect; tracks 1")
        bench.runDaemon()
        let url = "https://2130706433:\(server.port)/"
        bench.configureWebhook(url, "types = [\"detected\"]")
        bench.runRelay()
        #expect(
            await holds { bench.relay?.errors.contains("an address that is not public") == true },
            "\(bench.relay?.errors ?? "")")
        bench.kill(bench.relay)
        bench.configureWebhook(url, "types = [\"detected\"]\nprivate_addresses = true\ntimeout = \"500ms\"")
        bench.runRelay()
        // The server takes the connection, and speaks no TLS.
        #expect(await holds { bench.relay?.errors.contains("no complete answer within") == true })
        #expect(bench.relay?.errors.contains("not public") == false && server.requests.isEmpty)
    }
}
