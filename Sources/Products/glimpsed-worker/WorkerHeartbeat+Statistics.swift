import Assembly
import Pictures
import Pipelines
import WorkerChannel

extension WorkerHeartbeat {
    init(_ statistics: PipelineAssembly.Statistics) {
        self.init(
            received: statistics.received, sourceMilliseconds: statistics.sourceAge?.whole(.milliseconds(1)) ?? 0,
            lanes: statistics.lanes.map(Lane.init), pictures: statistics.pictures.map(Pictures.init))
    }
}

extension WorkerHeartbeat.Lane {
    fileprivate init(_ lane: PipelineAssembly.Statistics.Lane) {
        self.init(
            detector: lane.counts.detector, processed: UInt64(lane.counts.processed),
            dropped: UInt64(lane.counts.dropped), skipped: UInt64(lane.counts.skipped),
            failed: UInt64(lane.counts.failed), refused: UInt64(lane.counts.refused),
            evicted: UInt64(lane.counts.evicted), smallFaces: UInt64(lane.counts.smallFaces?.count ?? 0),
            smallFacesMinSize: UInt64(lane.counts.smallFaces?.thousandths ?? 0),
            busyMilliseconds: lane.times.busy.map { $0.whole(.milliseconds(1)) } ?? 0,
            wait: .init(lane.times.wait), total: .init(lane.times.total))
    }
}

extension WorkerHeartbeat.Pictures {
    fileprivate init(_ counts: PictureWriter.Counts) {
        self.init(
            waiting: UInt64(counts.waiting), written: UInt64(counts.stored), refused: UInt64(counts.refused),
            failed: UInt64(counts.failed), deleted: UInt64(counts.deleted))
    }
}

extension WorkerHeartbeat.Latency {
    fileprivate init(_ summary: LaneTimes.Summary) {
        self.init(
            median: summary.median.whole(.microseconds(1)), percentile95: summary.percentile95.whole(.microseconds(1)),
            longest: summary.longest.whole(.microseconds(1)))
    }
}

extension Duration {
    /// The number of whole units in the duration; 0 for a negative duration.
    fileprivate func whole(_ unit: Duration) -> UInt64 { UInt64(max(0, self / unit)) }
}
