import NIOCore
import ServiceLifecycle

/// Runs the parts from the start to the shutdown.
struct DaemonService: Service {
    let eventLoop: any EventLoop
    let open: @Sendable (any EventLoop) throws -> DaemonParts

    func run() async throws {
        let (eventLoop, open) = (eventLoop, open)
        let parts = try await eventLoop.submit {
            let parts = try open(eventLoop)
            parts.start()
            return NIOLoopBound(parts, eventLoop: eventLoop)
        }.get()
        // Throws when the group is cancelled, which ends the same way.
        try? await gracefulShutdown()
        try await eventLoop.flatSubmit { parts.value.stop() }.get()
    }
}
