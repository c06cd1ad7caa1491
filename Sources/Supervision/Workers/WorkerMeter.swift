import EventLog
import WorkerChannel

/// What a worker's heartbeats add up to.
struct WorkerMeter: Sendable {
    private(set) var newest: WorkerHeartbeat?
    private var received = RateMeter()
    private var processed: [String: RateMeter] = [:]

    mutating func record(_ heartbeat: WorkerHeartbeat, at now: ContinuousClock.Instant) {
        newest = heartbeat
        received.record(heartbeat.received, at: now)
        // A worker that invents lanes does not grow us.
        for lane in heartbeat.lanes.prefix(PipelineLedger.maximumDetectors) {
            processed[lane.detector, default: RateMeter()].record(lane.processed, at: now)
        }
        if processed.count > PipelineLedger.maximumDetectors { processed.removeAll() }
    }

    var receivedPerSecond: Double? { received.perSecond }

    var lanes: [WorkerStatus.Lane] {
        (newest?.lanes ?? []).prefix(PipelineLedger.maximumDetectors).map {
            WorkerStatus.Lane(counts: $0, perSecond: processed[$0.detector]?.perSecond)
        }
    }
}
