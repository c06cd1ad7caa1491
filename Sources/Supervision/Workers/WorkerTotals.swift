// SPDX-License-Identifier: Apache-2.0
import EventLog
import Observations

/// The counters of a pipeline's processes together. A worker counts from 0, so its last values are kept when it ends.
///
/// Counts after a worker's last heartbeat are lost with a worker that is killed.
package struct WorkerTotals: Sendable {
    package struct Lane: Sendable {
        package var values = MetricValues<LaneMetric>()
        package var stages = StageHistograms()
    }

    package private(set) var source = MetricValues<SourceMetric>()
    package private(set) var decoding = DurationHistogram()
    /// By detector.
    package private(set) var lanes: [String: Lane] = [:]
    /// In microseconds.
    package private(set) var processorTime: UInt64 = 0

    package init() {}

    /// Adds the newest values of a process.
    ///
    /// - Parameter detectors: the detectors to keep, which bounds the memory.
    mutating func add(_ process: Worker.Process, detectors: [String]) {
        add(process.meter, detectors: detectors)
        processorTime = processorTime.saturatingAdd(process.use?.processorTime ?? 0)
    }

    mutating func add(_ meter: WorkerMeter, detectors: [String]) {
        source = source.adding(countersOf: meter.source.values)
        decoding += meter.decoding
        lanes = lanes.filter { detectors.contains($0.key) }
        for name in detectors {
            var lane = lanes[name] ?? Lane()
            if let values = meter.lanes[name]?.values { lane.values = lane.values.adding(countersOf: values) }
            if let stages = meter.stages[name] { lane.stages += stages }
            lanes[name] = lane
        }
    }
}

/// The metrics of a pipeline over all its processes since the daemon started or the pipeline was added.
package struct PipelineReading: Sendable {
    package var name: String
    package var detectors: [String]
    package var kinds: FeatureKinds
    /// The `state` of the newest `source` line.
    package var state: String
    package var tracks: TrackCounts
    package var totals: WorkerTotals
    package var restarts: [WorkerStateMachine.RestartReason: UInt64]
    /// The resident memory of the process in bytes; 0 without a process.
    package var residentBytes: Int
}

extension Worker {
    var reading: PipelineReading {
        let ledger = stream.log.ledger(ofPipeline: index)
        var totals = totals
        if let current { totals.add(current, detectors: pipeline.detectors) }
        return PipelineReading(
            name: pipeline.identity.name, detectors: pipeline.detectors, kinds: pipeline.kinds, state: ledger.state,
            tracks: ledger.counts, totals: totals, restarts: machine.restartCounts,
            residentBytes: current?.use?.resident ?? 0)
    }
}
