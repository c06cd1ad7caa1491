import EventLog

/// The current state of a pipeline's worker.
package struct WorkerStatus: Sendable {
    package var file: String
    /// nil while there is no process.
    package var process: Int32?
    package var epoch: UInt64
    /// For how long the process has been there.
    package var age: Duration?
    /// Starts after a loss.
    package var restarts: Int
    /// Bytes of memory that the process has for itself alone, as of the newest look.
    package var memory: Int?
    /// The metrics of the process.
    package var meter: WorkerMeter
    /// The state that follows from the worker's lines.
    package var ledger: PipelineLedger
}
