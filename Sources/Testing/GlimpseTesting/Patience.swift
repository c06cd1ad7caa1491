import Dispatch

/// How long a test waits for a fact before it gives up: longer than the fact takes on a machine with many times more work than processors,
/// so that only a hang exceeds it.
package let patience = Duration.seconds(120)

extension DispatchSemaphore {
    /// Waits for a signal.
    ///
    /// - Returns: whether it came before the test's patience ended.
    package func isSignalledInTime() -> Bool {
        wait(timeout: .now() + .seconds(Int(patience.components.seconds))) == .success
    }
}
