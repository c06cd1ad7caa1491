// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// The time that a test waits for a condition before it fails. It is far longer than needed on a machine with many
/// times more work than processors, so that only a hang exceeds it.
package let patience = Duration.seconds(120)

extension DispatchSemaphore {
    /// Waits for a signal.
    ///
    /// - Returns: whether the signal came before `patience` ended.
    package func isSignalledInTime() -> Bool {
        wait(timeout: .now() + .seconds(Int(patience.components.seconds))) == .success
    }
}
