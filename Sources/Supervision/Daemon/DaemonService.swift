import CProcess
import NIOCore
import ServiceLifecycle

/// Runs the parts from the start to the shutdown.
struct DaemonService: Service {
    let eventLoop: any EventLoop
    /// Of the event loop's turns; the kernel's least. What it does at a time takes less or little more.
    private static let timeSliceMicroseconds: CUnsignedInt = 100
    let open: @Sendable (any EventLoop) throws -> DaemonParts

    func run() async throws {
        let (eventLoop, open) = (eventLoop, open)
        let parts = try await eventLoop.submit {
            // Where it is refused, events are delivered all the same, a little later.
            _ = glimpse_set_time_slice(Self.timeSliceMicroseconds)
            let parts = try open(eventLoop)
            parts.start()
            return NIOLoopBound(parts, eventLoop: eventLoop)
        }.get()
        // Throws when the group is cancelled, which ends the same way.
        try? await gracefulShutdown()
        try await eventLoop.flatSubmit { parts.value.stop() }.get()
    }
}
