// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
import EventSocket
import MetricsText
import Observations
import Workers

/// The metrics of the daemon and its pipelines at one moment.
struct DaemonMetrics: Sendable {
    var version: String
    var pipelines: [PipelineReading]
    var subscribers: SubscriberMetrics
    /// The size of the event journal.
    var journalBytes: Int
    /// The age of the journal's oldest event in seconds; nil if it is unknown.
    var journalAge: Int64?
    /// nil if the kernel does not report it.
    var process: OwnProcess?

    /// The complete text in the format, as a JSON string.
    func json(_ format: MetricsFormat) -> [UInt8] {
        var text = MetricsText(format, encoding: .jsonString, reservingCapacity: 8192 + pipelines.count * 32_768)
        let rows = pipelines.map(Rows.init)
        text.family(.buildInfo) { $0.sample(MetricLabel(version), is: 1) }
        text.family(.pipelineState) { samples in for row in rows { row.states(&samples) } }
        text.family(.framesReceived) { samples in
            for row in rows { samples.sample(row.name, is: row.reading.totals.source[.received]) }
        }
        text.family(.framesDecoded) { samples in
            for row in rows { samples.sample(row.name, is: row.reading.totals.source[.decoded]) }
        }
        text.family(.framesDropped) { samples in for row in rows { row.drops(&samples) } }
        text.family(.detections) { samples in for row in rows { row.lanes(.detections, &samples) } }
        text.family(.detectionsRefused) { samples in for row in rows { row.lanes(.refusedDetections, &samples) } }
        text.family(.tracksLive) { samples in for row in rows { row.liveTracks(&samples) } }
        text.family(.tracksCompleted) { samples in for row in rows { row.completedTracks(&samples) } }
        text.family(.zoneOccupancy) { samples in for row in rows { row.zones(&samples) } }
        text.family(.lineCrossings) { samples in for row in rows { row.lines(&samples) } }
        text.family(.stageSeconds) { samples in for row in rows { row.stages(&samples) } }
        text.family(.deliverySeconds) { $0.histogram(of: subscribers.delivery) }
        text.family(.workerRestarts) { samples in for row in rows { row.restarts(&samples) } }
        text.family(.workerCPU) { samples in
            for row in rows { samples.sample(row.name, is: .microseconds(row.reading.totals.processorTime)) }
        }
        text.family(.workerResident) { samples in
            for row in rows { samples.sample(row.name, is: row.reading.residentBytes) }
        }
        text.family(.subscribers) { $0.sample(is: subscribers.subscribers) }
        text.family(.subscriberGaps) { $0.sample(is: subscribers.gaps) }
        text.family(.subscriberWaiting) { $0.sample(is: subscribers.waitingBytes) }
        text.family(.journalBytes) { $0.sample(is: journalBytes) }
        if let journalAge { text.family(.journalOldest) { $0.sample(is: journalAge) } }
        process?.write(to: &text)
        return text.finish()
    }
}

/// Writes the samples of one pipeline.
private struct Rows {
    // Labels that all pipelines share.
    private static let states = SourceEvent.State.allCases.map { ($0.rawValue, MetricLabel($0.rawValue)) }
    private static let reasons = CompletionReason.allCases.map { ($0, MetricLabel($0.rawValue)) }
    private static let restarts = WorkerStateMachine.RestartReason.allCases.map { ($0, MetricLabel($0.rawValue)) }
    private static let stages = LaneStage.allCases.map { ($0, MetricLabel($0.name)) }
    private static let (busy, maxRate, failed): (MetricLabel, MetricLabel, MetricLabel) = ("busy", "max_rate", "failed")
    private static let (decode, noDetector): (MetricLabel, MetricLabel) = ("decode", "")

    let reading: PipelineReading
    let name: MetricLabel
    let detectors: [(name: String, label: MetricLabel)]
    private let kinds: [(kind: FeatureKind, label: MetricLabel)]

    init(_ reading: PipelineReading) {
        self.reading = reading
        name = MetricLabel(reading.name)
        detectors = reading.detectors.map { ($0, MetricLabel($0)) }
        kinds = reading.kinds.all.map { ($0, MetricLabel($0.rawValue)) }
    }

    func states(_ samples: inout MetricSamples) {
        for (state, label) in Self.states {
            samples.sample(name, label, is: .count(reading.state == state ? 1 : 0))
        }
    }

    func lanes(_ metric: LaneMetric, _ samples: inout MetricSamples) {
        for detector in detectors {
            samples.sample(name, detector.label, is: .count(reading.totals.lanes[detector.name]?.values[metric] ?? 0))
        }
    }

    func drops(_ samples: inout MetricSamples) {
        for detector in detectors {
            let values = reading.totals.lanes[detector.name]?.values ?? [:]
            samples.sample(name, detector.label, Self.busy, is: .count(values[.busyDrops]))
            samples.sample(name, detector.label, Self.maxRate, is: .count(values[.rateDrops]))
            samples.sample(name, detector.label, Self.failed, is: .count(values[.failures]))
        }
    }

    func liveTracks(_ samples: inout MetricSamples) {
        for (kind, label) in kinds {
            samples.sample(name, label, is: reading.tracks.live[kind] ?? 0)
        }
    }

    func completedTracks(_ samples: inout MetricSamples) {
        for (kind, label) in kinds {
            // Only barcodes have a payload.
            for (reason, reasonLabel) in Self.reasons where reason != .payloadChanged || kind == .barcode {
                let count = reading.tracks.completed[.init(kind: kind, reason: reason)] ?? 0
                samples.sample(name, label, reasonLabel, is: .count(count))
            }
        }
    }

    func zones(_ samples: inout MetricSamples) {
        for zone in reading.kinds.zones {
            let label = MetricLabel(zone.name)
            for kind in zone.kinds {
                let count = reading.tracks.occupancy[.init(zone: zone.name, kind: kind)] ?? 0
                samples.sample(name, label, MetricLabel(kind.rawValue), is: count)
            }
        }
    }

    func lines(_ samples: inout MetricSamples) {
        for line in reading.kinds.lines {
            let label = MetricLabel(line.name)
            for direction in CrossingLine.Direction.allCases {
                for kind in line.kinds {
                    let crossing = TrackCounts.Crossing(line: line.name, direction: direction, kind: kind)
                    samples.sample(
                        name, label, MetricLabel(direction.rawValue), MetricLabel(kind.rawValue),
                        is: reading.tracks.crossings[crossing] ?? 0)
                }
            }
        }
    }

    func stages(_ samples: inout MetricSamples) {
        samples.histogram(name, Self.noDetector, Self.decode, of: reading.totals.decoding)
        for detector in detectors {
            let stages = reading.totals.lanes[detector.name]?.stages ?? StageHistograms()
            for (stage, label) in Self.stages {
                samples.histogram(name, detector.label, label, of: stages[stage])
            }
        }
    }

    func restarts(_ samples: inout MetricSamples) {
        for (reason, label) in Self.restarts {
            samples.sample(name, label, is: .count(reading.restarts[reason] ?? 0))
        }
    }
}

extension MetricSamples {
    fileprivate mutating func histogram(_ values: MetricLabel..., of histogram: DurationHistogram) {
        self.histogram(values, bounds: DurationHistogram.bounds, counts: histogram.counts, sum: histogram.sum)
    }
}
