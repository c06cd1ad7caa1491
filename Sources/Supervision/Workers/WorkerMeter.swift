// SPDX-License-Identifier: Apache-2.0
import EventLog
import Observations

/// The metrics and rates from a worker's heartbeats.
package struct WorkerMeter: Sendable {
    package private(set) var source = MeteredMetrics<SourceMetric>()
    /// nil if the worker stores no pictures, or has not sent a heartbeat yet.
    package private(set) var pictures: MetricValues<PictureMetric>?
    /// Why no picture may leave the worker; nil if pictures may leave.
    package private(set) var withholding: String?
    /// The times of decoding.
    private(set) var decoding = DurationHistogram()
    /// The times of the lanes' stages, by detector.
    private(set) var stages: [String: StageHistograms] = [:]
    /// By detector.
    package private(set) var lanes: [String: MeteredMetrics<LaneMetric>] = [:]

    mutating func record(_ metrics: PipelineMetrics, at now: ContinuousClock.Instant) {
        source.record(metrics.source, at: now)
        pictures = metrics.pictures
        withholding = metrics.withholding.map { String($0.prefix(512)) }
        // The limit bounds the memory for a worker that invents lanes.
        let known = metrics.lanes.prefix(PipelineLedger.maximumDetectors)
        decoding = metrics.decoding
        stages = Dictionary(known.map { ($0.detector, $0.stages) }) { $1 }
        let names = Set(known.map(\.detector))
        lanes = lanes.filter { names.contains($0.key) }
        for lane in known { lanes[lane.detector, default: MeteredMetrics()].record(lane.values, at: now) }
    }
}
