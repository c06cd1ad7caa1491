// SPDX-License-Identifier: Apache-2.0
import Glibc
import HummingbirdCore
import LogSupport
import Logging
import NIOCore
import NIOHTTPTypes
import NIOPosix
import Settings
import UnixSocket

/// Accepts HTTP connections on one address. Hummingbird's server listens only on addresses that it opens itself, and
/// systemd passes an open socket.
struct WebListener: Sendable {
    typealias Server = NIOAsyncChannel<HTTP1Channel.Value, Never>

    /// Hummingbird's own messages are about single connections and lead nowhere.
    static let logger = Logger(label: "web") { _ in SwiftLogNoOpLogHandler() }

    /// Connections at a time. Those beyond are closed at once.
    private static let mostConnections = 256
    private static let idleTimeout = TimeAmount.seconds(20)
    /// The time in which a viewer must take something.
    static let patience = TimeAmount.seconds(30)
    /// Bytes that wait in the kernel for a viewer. With the kernel's own limit of megabytes, a slow viewer would get
    /// pictures that are seconds old. With this one, it loses pictures instead.
    private static let sendBuffer: ChannelOptions.Types.SocketOption.Value = 256 << 10

    private let http: HTTP1Channel
    private let log: ProgramLog

    init(responder: WebResponder, log: ProgramLog) {
        self.log = log
        http = HTTP1Channel(
            responder: { try await responder($0, $1, $2) },
            configuration: .init(
                additionalChannelHandlers: [StalledPeerHandler(patience: Self.patience)],
                idleTimeout: Self.idleTimeout,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 64)))
    }

    /// - Parameter passed: a listening socket, which is used instead of the address.
    func bind(
        _ address: ListenAddress, passed: CInt?, _ group: any EventLoopGroup
    ) async throws(WebServer.Failure) -> Server {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.socketOption(.so_sndbuf), value: Self.sendBuffer)
        let http = http
        let setUp: @Sendable (any Channel) -> EventLoopFuture<HTTP1Channel.Value> = {
            http.setup(channel: $0, logger: Self.logger)
        }
        do {
            if let passed { return try await bootstrap.bind(passed, childChannelInitializer: setUp) }
            switch address {
            case .network(let host, let port):
                return try await bootstrap.bind(host: host, port: port, childChannelInitializer: setUp)
            case .unix(let path):
                let listening = try SocketFile.listen(path: path, mode: 0o660, group: "", setting: "listen")
                return try await bootstrap.bind(listening.descriptor, childChannelInitializer: setUp)
            }
        } catch {
            throw WebServer.Failure(
                description: "cannot listen on \(address.text): \(error)", isConfiguration: false)
        }
    }

    /// Serves until the channel is closed or the task is cancelled.
    func serve(_ server: Server) async {
        let places = Places(Self.mostConnections)
        await withDiscardingTaskGroup { group in
            do {
                try await server.executeThenClose { connections in
                    for try await connection in connections {
                        guard places.take() else {
                            connection.channel.close(promise: nil)
                            continue
                        }
                        group.addTask {
                            await http.handle(value: connection, logger: Self.logger)
                            places.leave()
                        }
                    }
                }
            } catch {
                if !Task.isCancelled { log(.error, "cannot accept connections: \(error)") }
            }
            group.cancelAll()
        }
    }
}
