import WorkerChannel

/// How long parts of a worker may take before it counts as hanging.
package struct StallLimits: Sendable, Equatable {
    /// A detector at one frame.
    package var lane: Duration
    /// The source, in addition to the time in which it may be silent by its own settings.
    package var source: Duration

    package init(lane: Duration, source: Duration) {
        self.lane = lane
        self.source = source
    }

    /// - Returns: what hangs, in words; nil when nothing does.
    package func fault(in heartbeat: WorkerHeartbeat) -> String? {
        for lane in heartbeat.lanes where lane.busyMilliseconds > milliseconds(self.lane) {
            return "its detector \(lane.detector) has been at one frame for over \(self.lane)"
        }
        if heartbeat.sourceMilliseconds > milliseconds(source) {
            return "its source has not come back for over \(source)"
        }
        return nil
    }

    private func milliseconds(_ duration: Duration) -> UInt64 { UInt64(max(0, duration / .milliseconds(1))) }
}
