// SPDX-License-Identifier: Apache-2.0
import CProcess
#if canImport(Glibc)
    import Glibc
#endif

/// Starts a named operating-system thread. The frame path uses its own threads, because a busy cooperative pool delays
/// hand-offs by tens of milliseconds.
package struct LaneThread: Sendable {
    /// The stack size. Vision libraries need more than the 2 MiB that some systems give a thread.
    private static let stackBytes = 8 << 20

    private let thread: pthread_t

    /// Starts the thread, which must be joined once.
    ///
    /// - Parameter name: shown by `ps -L` and debuggers; the kernel keeps 15 bytes.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Start(name: name, body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackBytes)
        var thread = pthread_t()
        let status = pthread_create(&thread, &attributes, runLaneThread, context.toOpaque())
        // The process limit is reached or memory is exhausted; without threads no pipeline can run.
        precondition(status == 0, "cannot start thread \(name): \(String(cString: strerror(status)))")
        self.thread = thread
    }

    /// Waits until the body has returned and its captured objects are released. Called on the thread itself, it does
    /// not wait.
    package func join() {
        if pthread_equal(thread, pthread_self()) != 0 { pthread_detach(thread) } else { pthread_join(thread, nil) }
    }

    fileprivate final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}

private func runLaneThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<LaneThread.Start>.fromOpaque(argument).takeRetainedValue()
    glimpse_name_thread(start.name)
    start.body()
    return nil
}
