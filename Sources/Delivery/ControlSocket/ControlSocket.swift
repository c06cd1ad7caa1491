// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import NIOCore
import NIOPosix
import UnixSocket

/// Serves commands on its own Unix socket to the peers that the policy allows.
///
/// It belongs to one event loop; all calls must be made there. The kernel reports the identity of a peer before the
/// first byte is read.
package final class ControlSocket {
    package struct Configuration: Sendable {
        package var path: String
        package var mode: UInt32
        /// The name or number of a group; empty leaves the group unchanged.
        package var group: String
        /// A socket that already listens, which this object takes over; nil creates a socket.
        package var passed: CInt?
        package var policy: PeerPolicy
        package var maximumPeers = 64
        /// The time without traffic in both directions after which a peer is disconnected. Waiting for a reply does not
        /// count.
        package var idleLimit = Duration.seconds(60)

        package init(path: String, mode: UInt32, group: String, policy: PeerPolicy) {
            self.path = path
            self.mode = mode
            self.group = group
            self.policy = policy
        }
    }

    /// Carries a command out. It is called on the event loop and must complete its future there.
    package typealias Handler = (ControlCommand) -> EventLoopFuture<ControlReply>

    let eventLoop: any EventLoop
    private let configuration: Configuration
    let logger: Logger
    let handler: Handler
    private let file: SocketFile?
    private var listener: SocketListener?
    private var connections: [ObjectIdentifier: ControlConnection] = [:]
    private let admission: Admission
    private var isStopping = false

    /// Binds and listens.
    ///
    /// - Throws: `SocketError`.
    package init(
        configuration: Configuration, eventLoop: any EventLoop, logger: Logger, handler: @escaping Handler
    ) throws(SocketError) {
        eventLoop.preconditionInEventLoop()
        let listening =
            if let passed = configuration.passed {
                SocketFile.adopt(passed, path: configuration.path, setting: "control.socket")
            } else {
                try SocketFile.listen(
                    path: configuration.path, mode: configuration.mode, group: configuration.group,
                    setting: "control.socket")
            }
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.logger = logger
        self.handler = handler
        admission = Admission("control", configuration.policy, logger: logger)
        file = listening.file
        for warning in listening.warnings { logger.warning("\(warning)") }
        let (bound, admission) = (NIOLoopBound(self, eventLoop: eventLoop), admission)
        listener = SocketListener(listening.descriptor, name: "glimpsed.control") { descriptor in
            switch admission.verdict(on: descriptor) {
            case .admitted(let place): eventLoop.execute { bound.value.accept(descriptor, user: place.user) }
            case .refused(let reason):
                SocketListener.refuse(descriptor, with: ControlReply.failed(reason).line(for: nil))
            }
        }
    }

    /// Changes the policy for new connections. Existing connections stay.
    package func allow(_ policy: PeerPolicy) { admission.change(policy) }

    /// The number of connected peers.
    package var peers: Int { connections.count }

    /// Refuses new peers, disconnects all peers, and unlinks the socket.
    package func stop() {
        eventLoop.preconditionInEventLoop()
        isStopping = true
        file?.remove()
        listener?.close()
        listener = nil
        for connection in connections.values { connection.close() }
    }

    // MARK: For connections

    func joined(_ connection: ControlConnection) {
        eventLoop.preconditionInEventLoop()
        connections[ObjectIdentifier(connection)] = connection
        if isStopping { connection.close() }
    }

    func left(_ connection: ControlConnection) { connections[ObjectIdentifier(connection)] = nil }

    // MARK: Shell

    private func accept(_ descriptor: CInt, user: uid_t) {
        if let refusal {
            SocketListener.refuse(descriptor, with: ControlReply.failed(refusal).line(for: nil))
            return
        }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        ClientBootstrap(group: eventLoop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        IdleStateHandler(allTimeout: TimeAmount(bound.value.configuration.idleLimit)),
                        ControlConnection(socket: bound.value, descriptor: descriptor, user: user))
                }
            }
            .withConnectedSocket(descriptor)
            .assumeIsolated()
            .whenFailure { self.logger.warning("a control connection failed: \($0)") }
    }

    private var refusal: String? {
        if isStopping { return "the daemon is stopping" }
        guard connections.count < configuration.maximumPeers else {
            return "too many peers: \(configuration.maximumPeers) are connected"
        }
        return nil
    }
}
