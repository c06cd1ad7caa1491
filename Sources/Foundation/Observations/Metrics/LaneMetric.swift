// SPDX-License-Identifier: Apache-2.0
/// The metrics of a lane, which is one detector and its tracker.
public enum LaneMetric: Int, MetricKey {
    case processed, unchanged, busyDrops, rateDrops, failures, detections, refusedDetections, evictedTracks
    case smallFaces, smallFacesMinSize
    case busyTime, waitMedian, waitPercentile95, longestWait, latencyMedian, latencyPercentile95, longestLatency

    public var row: MetricRow {
        switch self {
        case .processed:
            .counter(
                "processed", .frames, "Frames that the lane processed, including `unchanged` and failed frames.",
                rate: "fps")
        case .unchanged:
            .counter(
                "unchanged", .frames, "Frames that showed the detector nothing new, so that it did not run.")
        case .busyDrops:
            .counter("busy", in: "dropped", .frames, "Frames that a newer one replaced before the detector was free.")
        case .rateDrops: .counter("max_rate", in: "dropped", .frames, "Frames that `max_rate` left out.")
        case .failures: .counter("failed", in: "dropped", .frames, "Frames that the detector failed on.")
        case .detections:
            .counter(
                "detections", .detections,
                "Detections of the detector, refused ones included. A frame in `unchanged` adds none.")
        case .refusedDetections:
            .counter(
                "refused_detections", .detections,
                "Detections that a limit of the tracker kept out: `tracking.capacity`, or 1024 in a frame.")
        case .evictedTracks:
            .counter(
                "evicted_tracks", .tracks,
                "Tracks that ended because a new one needed their place (`completed` with `evicted`).")
        case .smallFaces:
            .gauge(
                "faces", in: "too_small", .faces,
                "Faces [below `min_size`](config-faces.md#faces-below-min_size) in the newest picture without others.",
                isAbsentAtZero: true)
        case .smallFacesMinSize:
            .gauge(
                "min_size", in: "too_small", .thousandths, "The `min_size` that shows these faces.",
                isAbsentAtZero: true)
        case .busyTime:
            .gauge(
                "busy_ms", .milliseconds, "How long the detector has been at its current frame; 0 when it has none.")
        case .waitMedian:
            .gauge("p50", in: "wait_us", .microseconds, "Wait for the detector, newest 256 frames: median.")
        case .waitPercentile95: .gauge("p95", in: "wait_us", .microseconds, "Wait for the detector: 95th percentile.")
        case .longestWait: .gauge("max", in: "wait_us", .microseconds, "Wait for the detector: maximum.")
        case .latencyMedian:
            .gauge(
                "p50", in: "latency_us", .microseconds,
                "From a frame's hand-over to the end of its events, newest 256 frames: median.")
        case .latencyPercentile95:
            .gauge(
                "p95", in: "latency_us", .microseconds,
                "From a frame's hand-over to the end of its events: 95th percentile.")
        case .longestLatency:
            .gauge(
                "max", in: "latency_us", .microseconds, "From a frame's hand-over to the end of its events: maximum.")
        }
    }
}

/// The metrics of one lane since its creation.
public struct LaneMetrics: Sendable, Equatable {
    /// The detector's name.
    public var detector: String
    /// The newest values; metrics that were not counted are 0.
    public var values: MetricValues<LaneMetric>
    /// The times of the lane's stages. Only workers of a daemon count them.
    package var stages = StageHistograms()

    public init(detector: String, _ values: MetricValues<LaneMetric> = [:]) {
        self.detector = detector
        self.values = values
    }

    /// The value of one metric, in the unit of its row.
    public subscript(metric: LaneMetric) -> UInt64 {
        get { values[metric] }
        set { values[metric] = newValue }
    }
}
