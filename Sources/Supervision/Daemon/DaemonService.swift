// SPDX-License-Identifier: Apache-2.0
import CProcess
import NIOCore
import ServiceLifecycle

/// Runs the daemon's parts from the start to the shutdown.
struct DaemonService: Service {
    let eventLoop: any EventLoop
    /// The time slice of the event loop's thread in microseconds, which is the kernel's minimum. A turn takes less or
    /// little more.
    private static let timeSliceMicroseconds: CUnsignedInt = 100
    let open: @Sendable (any EventLoop) throws -> DaemonParts

    func run() async throws {
        let (eventLoop, open) = (eventLoop, open)
        let parts = try await eventLoop.submit {
            // If the kernel refuses, events are still delivered, a little later.
            _ = glimpse_set_time_slice(Self.timeSliceMicroseconds)
            let parts = try open(eventLoop)
            parts.start()
            return NIOLoopBound(parts, eventLoop: eventLoop)
        }.get()
        // A cancellation of the group also throws here. The daemon then ends in the usual order.
        try? await gracefulShutdown()
        try await eventLoop.flatSubmit { parts.value.stop() }.get()
    }
}
