// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import GlimpseTesting
import LogSupport
import NIOPosix
import Settings
import Synchronization

@testable import Web

extension FuzzTarget {
    /// The bytes of a connection to the page. Without the token nothing is admitted. No request makes an internal
    /// error, and the daemon receives only lines of JSON.
    static let web = FuzzTarget(
        name: "web",
        words: [
            "GET / HTTP/1.1\r\n", "POST ", "HEAD ", "Host: localhost\r\n", "\r\n\r\n", "Origin: http://localhost\r\n",
            "Authorization: Bearer \(Page.token)\r\n", "Cookie: glimpse=", "Content-Length: 0\r\n", "Last-Event-ID: ",
            "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "Upgrade: websocket\r\n",
            "Connection: Upgrade\r\n", "If-None-Match: ", "Range: bytes=0-", "Accept: ", "/api/pipelines/",
            "/api/clips/",
            "/api/history/", "/api/events", "/api/pictures", "/picture.jpg", "/stream", "?mode=h264", "&since=",
            "&limit=",
            "&width=", "&after=run:1", "&pipelines=a,b", "%0a", "%00", "%ff", "/../", ".mp4", ".jsonl", "/login?code=",
        ]
    ) { input in
        let answer = try Page.shared.answer(input)
        try require(answer.isEmpty || answer.starts(with: Array("HTTP/1.1 ".utf8)), text(answer))
        let statuses = text(answer).components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
        try require(!statuses.contains("500"), text(answer))
        if !text(input).contains(Page.token) { try require(!statuses.contains("200"), text(answer)) }
        try Page.shared.requireValidCommands()
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// The page on a Unix socket, and a daemon that refuses every command.
private final class Page: Sendable {
    static let token = "0123456789abcdef"
    static let shared = Page()

    private let scope = TestScope()
    /// Lines that the daemon has received, and that are no JSON.
    private let wrongLines = Mutex<[String]>([])

    private init() {
        setenv("GLIMPSE_FUZZ_TOKEN", Self.token, 1)
        signal(SIGPIPE, SIG_IGN)
        scope.write("page/index.html", "<!doctype html><title>Glimpse</title>")
        let (control, page) = (scope.path("c.sock"), scope.path("w.sock"))
        let daemon = UnixPeer.listen(control)
        Thread.detachNewThread { [self] in
            while true {
                let peer = accept(daemon, nil, nil)
                let line = UnixPeer.line(peer)
                if (try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]) == nil {
                    wrongLines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
                }
                UnixPeer.write(peer, Array("{\"ok\":false,\"error\":\"no\"}\n".utf8))
                close(peer)
            }
        }
        let (ready, log) = (DispatchSemaphore(value: 0), ProgramLog("fuzz"))
        Task {
            do {
                let settings = try WebSettings.parse(
                    bytes: Array("token_env = \"GLIMPSE_FUZZ_TOKEN\"\ncommands = true".utf8), listen: .unix(path: page))
                var own = settings
                (own.control, own.events) = (control, "/nowhere")
                let server = try WebServer(own, server: "fuzz", page: scope.path("page"), log: log)
                let listener = WebListener(responder: server.responder(EventSocketWatch()), log: log)
                let channel = try await listener.bind(
                    own.listen, passed: nil, MultiThreadedEventLoopGroup.singleton)
                ready.signal()
                await listener.serve(channel)
            } catch {
                fatalError("no page: \(error)")
            }
        }
        ready.wait()
    }

    /// Everything that the page answers until it closes the connection.
    func answer(_ bytes: [UInt8]) throws -> [UInt8] {
        let connection = UnixPeer.connect(scope.path("w.sock"))
        defer { close(connection) }
        try require(connection >= 0, "no connection")
        UnixPeer.write(connection, bytes)
        shutdown(connection, CInt(SHUT_WR))
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(connection, &buffer, buffer.count)
            // The fuzzer's own alarm.
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == ECONNRESET { return answer }
            try require(count >= 0, "the page does not close the connection: \(errno)")
            if count == 0 { return answer }
            answer += buffer[..<count]
        }
    }

    func requireValidCommands() throws {
        let lines = wrongLines.withLock { $0 }
        try require(lines.isEmpty, lines.joined(separator: "\n"))
    }
}
