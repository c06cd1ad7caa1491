// SPDX-License-Identifier: Apache-2.0
import CProcess
import NIOCore
import ServiceLifecycle
import Workers

/// Runs the daemon's parts from the start to the shutdown.
struct DaemonService: Service {
    let eventLoop: any EventLoop
    /// The time slice of the event loop's thread in microseconds, which is the kernel's minimum. A turn takes less or
    /// little more.
    private static let timeSliceMicroseconds: CUnsignedInt = 100
    let launcher: @Sendable () throws -> WorkerLauncher
    let open: @Sendable (any EventLoop, WorkerLauncher) throws -> DaemonParts

    func run() async throws {
        let (eventLoop, open, make) = (eventLoop, open, launcher)
        let launcher = try await eventLoop.submit {
            // If the kernel refuses, events are still delivered, a little later.
            _ = glimpse_set_time_slice(Self.timeSliceMicroseconds)
            let launcher = try make()
            launcher.load()
            return NIOLoopBound(launcher, eventLoop: eventLoop)
        }.get()
        while try await eventLoop.submit({ launcher.value.isLoading() }).get() {
            try await Task.sleep(for: .milliseconds(5))
        }
        let parts = try await eventLoop.submit {
            let parts = try open(eventLoop, launcher.value)
            parts.start()
            return NIOLoopBound(parts, eventLoop: eventLoop)
        }.get()
        // A cancellation of the group also throws here. The daemon then ends in the usual order.
        try? await gracefulShutdown()
        try await eventLoop.flatSubmit { parts.value.stop() }.get()
    }
}
