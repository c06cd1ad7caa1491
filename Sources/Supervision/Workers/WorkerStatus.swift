// SPDX-License-Identifier: Apache-2.0
import EventLog

/// The current state of a pipeline's worker.
package struct WorkerStatus: Sendable {
    package var file: String
    /// nil while no process runs.
    package var process: Int32?
    package var epoch: UInt64
    /// The time since the process started.
    package var age: Duration?
    /// The number of starts after the loss of a worker.
    package var restarts: Int
    /// The process's private memory in bytes, at the newest measurement.
    package var memory: Int?
    /// The newest warning or error in the process's log lines.
    package var warning: String?
    /// The metrics of the process.
    package var meter: WorkerMeter
    /// The state that follows from the worker's lines.
    package var ledger: PipelineLedger
}
