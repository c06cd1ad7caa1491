// SPDX-License-Identifier: Apache-2.0
import ControlSocket
import Glibc
import GlimpseTesting
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing
import UnixSocket

/// A control socket whose handler replies with the request.
private final class Server: Sendable {
    let scope = TestScope()
    let path: String
    private let loop: any EventLoop
    private let socket: NIOLoopBound<ControlSocket>
    let log = KeptLog()

    init(
        policy: PeerPolicy = PeerPolicy(users: [geteuid()], groups: []), idleLimit: Duration = .seconds(3600),
        pause: TimeAmount = .milliseconds(20)
    ) throws {
        path = scope.path("c.sock")
        loop = MultiThreadedEventLoopGroup.singleton.next()
        let (loop, path, log) = (loop, path, log)
        socket = try loop.submit {
            var configuration = ControlSocket.Configuration(path: path, mode: 0o600, group: "", policy: policy)
            configuration.idleLimit = idleLimit
            let socket = try ControlSocket(
                configuration: configuration, eventLoop: loop,
                logger: Logger(label: "test") { _ in log }
            ) { command in
                switch command {
                case .pause(let name):
                    // The handler takes time, like a worker.
                    loop.scheduleTask(in: pause) { .done { $0.member("pipeline", name) } }.futureResult
                case .search: loop.makeSucceededFuture(.failed("no search"))
                default: loop.makeSucceededFuture(.done { $0.member("text", String(repeating: "x", count: 10_000)) })
                }
            }
            return NIOLoopBound(socket, eventLoop: loop)
        }.wait()
    }

    var peers: Int {
        get async throws {
            let socket = socket
            return try await loop.submit { socket.value.peers }.get()
        }
    }

    func allow(_ policy: PeerPolicy) throws {
        let socket = socket
        try loop.submit { socket.value.allow(policy) }.wait()
    }

    func stop() throws {
        let socket = socket
        try loop.submit { socket.value.stop() }.wait()
    }
}

/// Keeps the messages of a log.
private struct KeptLog: LogHandler {
    private final class Messages: Sendable {
        let all = Mutex<[String]>([])
    }

    private let messages = Messages()
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.notice

    var lines: [String] { messages.all.withLock { $0 } }

    func log(event: LogEvent) { messages.all.withLock { $0.append("\(event.message)") } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}

@Suite struct ControlSocketTests {
    /// One line says who has got a snapshot; other commands leave none.
    @Test func aSnapshotLeavesALineInTheLog() throws {
        let server = try Server()
        let client = try SocketClient(server.path)
        client.send(#"{"pause":{"pipeline":"a"}}"#)
        client.send(#"{"snapshot":{"pipeline":"door"}}"#)
        #expect(try client.nextText()?.contains("\"ok\":true") == true)
        #expect(try client.nextText()?.contains("\"ok\":true") == true)
        let lines = server.log.lines.filter { $0.hasPrefix("pictures: ") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("user \(geteuid()): snapshot of pipeline door, from 20") == true)
        try server.stop()
    }

    @Test func controlRepliesComeInOrderWithTheirIDs() throws {
        let server = try Server()
        let client = try SocketClient(server.path)
        client.send(#"{"pause":{"pipeline":"a"},"request":1}"# + "\n" + #"{"search":{"pipeline":"a"},"request":"two"}"#)
        client.send("")
        client.send("nonsense\r")
        client.send(#"{"pause":{"pipeline":"b"}}"#)
        #expect(try client.nextText() == #"{"v":1,"type":"reply","request":1,"ok":true,"pipeline":"a"}"#)
        #expect(try client.nextText() == #"{"v":1,"type":"reply","request":"two","ok":false,"error":"no search"}"#)
        #expect(try client.nextText() == #"{"v":1,"type":"reply","ok":false,"error":"invalid JSON"}"#)
        #expect(try client.nextText() == #"{"v":1,"type":"reply","ok":true,"pipeline":"b"}"#)
        try server.stop()
        #expect(try client.nextText() == nil)
        #expect(throws: SocketClient.Failure.self) { try SocketClient(server.path) }
    }

    /// A peer that waits for a reply is not idle. A peer that sends nothing or reads nothing is idle.
    @Test func idleControlPeersMakeRoom() async throws {
        let server = try Server(idleLimit: .seconds(1), pause: .seconds(3))
        let busy = try SocketClient(server.path)
        busy.send(#"{"pause":{"pipeline":"a"}}"#)
        #expect(try busy.nextText()?.contains("\"ok\":true") == true)
        let deaf = try SocketClient(server.path)
        deaf.send(String(repeating: #"{"status":true}"# + "\n", count: 90))
        let silent = try SocketClient(server.path)
        #expect(try silent.nextText() == nil)
        #expect(try await holds { try await server.peers == 0 })
        try server.stop()
    }

    @Test func aPeerThatClosesItsSideStillReceivesItsReplies() throws {
        let server = try Server()
        let client = try SocketClient(server.path)
        client.send(Array(#"{"pause":{"pipeline":"a"}}"#.utf8))
        client.finishSending()
        #expect(try client.nextText() == #"{"v":1,"type":"reply","ok":true,"pipeline":"a"}"#)
        #expect(try client.nextText() == nil)
        try server.stop()
    }

    @Test func aForbiddenControlPeerReceivesAnErrorAndNoReply() async throws {
        let server = try Server(policy: PeerPolicy(users: [], groups: []))
        let refusal =
            #"{"v":1,"type":"reply","ok":false,"error":"user \#(geteuid()) may not give commands: "#
            + #"control.allow_users does not list the user, and control.allow_groups lists none of the user's groups"}"#
        for _ in 0..<200 {
            let client = try SocketClient(server.path)
            client.send(#"{"status":true}"#)
            #expect(try client.nextText() == refusal)
            #expect(try client.nextText() == nil)
        }
        #expect(try await server.peers == 0)
        try server.allow(PeerPolicy(users: [], groups: [getegid()]))
        let client = try SocketClient(server.path)
        client.send(#"{"search":{"pipeline":"a"}}"#)
        #expect(try client.nextText()?.contains("no search") == true)
        try server.stop()
    }

    @Test func theSixtyFifthControlPeerReceivesAnError() async throws {
        let server = try Server()
        var clients = try (0..<64).map { _ in try SocketClient(server.path) }
        #expect(try await holds { try await server.peers == 64 })
        #expect(
            try SocketClient(server.path).nextText()
                == #"{"v":1,"type":"reply","ok":false,"error":"too many peers: 64 are connected"}"#)
        clients.removeLast()
        #expect(try await holds { try await server.peers == 63 })
        let next = try SocketClient(server.path)
        next.send(#"{"search":{"pipeline":"a"}}"#)
        #expect(try next.nextText()?.contains("no search") == true)
        try server.stop()
    }

    @Test func hostileControlPeersDelayNoOtherPeer() async throws {
        let server = try Server()
        let good = try SocketClient(server.path)
        var random = SeededRandom(seed: 5)

        let long = try SocketClient(server.path)
        for _ in 0..<40 { long.send(Array(repeating: 0x7B, count: 64 * 1024)) }
        long.send("")
        #expect(try long.nextText() == #"{"v":1,"type":"reply","ok":false,"error":"the line is longer than 64 KiB"}"#)

        let many = try SocketClient(server.path)
        many.send(Array(String(repeating: #"{"pause":{"pipeline":"a"}}"# + "\n", count: 1000).utf8))
        var last: String?
        while let line = try many.nextText() { last = line }
        #expect(last == #"{"v":1,"type":"reply","ok":false,"error":"more than 100 requests are waiting"}"#)

        // The peer sends requests and never reads. The peer delays only itself.
        let deaf = try SocketClient(server.path)
        for _ in 0..<60 { deaf.send(#"{"status":true}"#) }

        for _ in 0..<20 {
            let noisy = try SocketClient(server.path)
            noisy.send((0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) })
            noisy.close()
        }
        good.send(#"{"search":{"pipeline":"a"}}"#)
        #expect(try good.nextText()?.contains("no search") == true)
        deaf.close()
        #expect(try await holds { try await server.peers <= 3 })
        try server.stop()
    }
}
