// SPDX-License-Identifier: Apache-2.0
/// The metrics of a pipeline's source.
package enum SourceMetric: Int, MetricKey {
    case received, decoded, busyTime, ringTime, ringBytes

    package var row: MetricRow {
        switch self {
        case .received:
            .counter("received", .frames, "Frames that the source gave, dropped ones included.", rate: "fps")
        case .decoded: .counter("decoded", .frames, "Frames that the worker received as pictures.")
        case .busyTime:
            .gauge("busy_ms", .milliseconds, "Time since the last response of the source.")
        case .ringTime:
            .gauge(
                "ring_ms", .milliseconds, "Length of the encoded video in the worker's memory: `source.ring`.",
                isAbsentAtZero: true)
        case .ringBytes:
            .gauge(
                "ring_bytes", .bytes, "Size of the encoded video in the worker's memory.", isAbsentAtZero: true)
        }
    }
}

/// The metrics of a pipeline's pictures, both of tracks and of searches.
package enum PictureMetric: Int, MetricKey {
    case waiting, written, refused, failed, deleted

    package var row: MetricRow {
        switch self {
        case .waiting: .gauge("waiting", .pictures, "Pictures asked for and not yet encoded.")
        case .written: .counter("written", .pictures, "Pictures that are whole.")
        case .refused: .counter("refused", .pictures, "Pictures that found no room in the queue.")
        case .failed: .counter("failed", .pictures, "Pictures that failed for want of an encoder or a disk.")
        case .deleted:
            .counter(
                "deleted", .pictures, "Pictures deleted by `retention.pictures`, `max_count` or `accept_within`.")
        }
    }
}

/// The metrics of a pipeline since its worker started. Counters are totals, so a lost heartbeat loses no count.
package struct PipelineMetrics: Sendable, Equatable {
    package var source: MetricValues<SourceMetric>
    /// nil if the pipeline stores no pictures.
    package var pictures: MetricValues<PictureMetric>?
    /// Why no picture may leave the worker; nil if pictures may leave.
    package var withholding: String?
    /// The times from the coded data of each picture to the upright picture, as far as they are measured.
    package var decoding = DurationHistogram()
    /// One for each detector.
    package var lanes: [LaneMetrics]

    package init(
        source: MetricValues<SourceMetric> = [:], pictures: MetricValues<PictureMetric>? = nil,
        lanes: [LaneMetrics] = []
    ) {
        self.source = source
        self.pictures = pictures
        self.lanes = lanes
    }
}
