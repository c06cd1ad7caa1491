import EventSocket
import NIOCore
import ServiceLifecycle
import Workers

/// Opens the socket and starts the workers; at the shutdown, ends the workers and their tracks, then gives every subscriber the rest and
/// closes.
struct DaemonService: Service {
    let eventLoop: any EventLoop
    /// Of this, the workers have four fifths and the subscribers the last one.
    let stopLimit: Duration
    let open: @Sendable (any EventLoop) throws -> (EventSocket, Workers)

    func run() async throws {
        let (eventLoop, open) = (eventLoop, open)
        let parts = try await eventLoop.submit {
            let (socket, workers) = try open(eventLoop)
            workers.start()
            return (NIOLoopBound(socket, eventLoop: eventLoop), NIOLoopBound(workers, eventLoop: eventLoop))
        }.get()
        // Throws when the group is cancelled, which ends the same way.
        try? await gracefulShutdown()
        let limit = TimeAmount(stopLimit * 0.2)
        try await eventLoop.flatSubmit { parts.1.value.stop(.shutdown) }.get()
        try await eventLoop.flatSubmit { parts.0.value.stop(within: limit) }.get()
    }
}
