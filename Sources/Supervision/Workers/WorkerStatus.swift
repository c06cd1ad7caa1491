import EventLog
import Observations
import WorkerChannel

/// The current state of a pipeline's worker.
package struct WorkerStatus: Sendable {
    package struct Lane: Sendable {
        package var counts: WorkerHeartbeat.Lane
        /// Frames that the detector looks at in a second.
        package var perSecond: Double?
    }

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
    /// Frames that the source gave, those that were dropped before a detector saw them included.
    package var received: UInt64
    package var receivedPerSecond: Double?
    package var lanes: [Lane]
    /// nil: it keeps no pictures, or has not said so yet.
    package var pictures: WorkerHeartbeat.Pictures?
    /// The state that follows from the worker's lines.
    package var ledger: PipelineLedger
}
