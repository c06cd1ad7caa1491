import EventLog
import WorkerChannel

/// The totals and rates from a worker's heartbeats.
struct WorkerMeter: Sendable {
    private(set) var newest: WorkerHeartbeat?
    private var received = RateMeter()
    private var processed: [String: RateMeter] = [:]

    mutating func record(_ heartbeat: WorkerHeartbeat, at now: ContinuousClock.Instant) {
        newest = heartbeat
        received.record(heartbeat.received, at: now)
        // The limit bounds the memory for a worker that invents lanes.
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
