// SPDX-License-Identifier: Apache-2.0
import Observations
import Synchronization

/// The counts and times of a lane. The lane's thread records them, and any thread may read them.
final class LaneMeter: Sendable {
    private struct State {
        var values = MetricValues<LaneMetric>()
        var busySince: ContinuousClock.Instant?
        var waits = DurationWindow()
        var latencies = DurationWindow()
        var obstacle: String?
        var isSettled = false
    }

    private let state = Mutex(State())

    /// The lane loaded its detector, or found that the detector cannot work.
    func loaded(obstacle: String?) {
        state.withLock { $0.obstacle = obstacle }
    }

    /// The reason why the detector could not work when the lane loaded it; nil if it could.
    var obstacle: String? { state.withLock(\.obstacle) }

    /// Records that the lane has taken a frame.
    func began() {
        let now = ContinuousClock.now
        state.withLock { $0.busySince = now }
    }

    /// Whether the lane needs no frame to decide about a track: none is tentative or missing.
    var isSettled: Bool { state.withLock(\.isSettled) }

    /// Records that the lane has finished its frame.
    func finished(_ values: MetricValues<LaneMetric>, isSettled: Bool, handedOver: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        state.withLock { state in
            if values[.processed] > state.values[.processed] {
                state.waits.append((state.busySince ?? now) - handedOver)
                state.latencies.append(now - handedOver)
            }
            state.values = values
            state.isSettled = isSettled
            state.busySince = nil
        }
    }

    /// The metrics without the counts of the lane's slot.
    var values: MetricValues<LaneMetric> {
        let now = ContinuousClock.now
        var (values, busySince, waits, latencies) = state.withLock {
            ($0.values, $0.busySince, $0.waits, $0.latencies)
        }
        values[.busyTime] = busySince.map { (now - $0).whole(.milliseconds(1)) } ?? 0
        (values[.waitMedian], values[.waitPercentile95], values[.longestWait]) = waits.summary
        (values[.latencyMedian], values[.latencyPercentile95], values[.longestLatency]) = latencies.summary
        return values
    }
}

/// The newest 256 durations.
struct DurationWindow {
    private static let room = 256

    private var durations: [Duration] = []
    private var oldest = 0

    mutating func append(_ duration: Duration) {
        if durations.count < Self.room {
            durations.append(duration)
        } else {
            durations[oldest] = duration
            oldest = (oldest + 1) % Self.room
        }
    }

    /// The percentiles in microseconds, by the nearest-rank method; zeros for an empty window.
    var summary: (median: UInt64, percentile95: UInt64, longest: UInt64) {
        guard !durations.isEmpty else { return (0, 0, 0) }
        let sorted = durations.sorted().map { $0.whole(.microseconds(1)) }
        return (sorted[(sorted.count - 1) / 2], sorted[(sorted.count * 95 + 99) / 100 - 1], sorted[sorted.count - 1])
    }
}

extension Duration {
    /// The number of whole units; 0 for a negative duration.
    package func whole(_ unit: Duration) -> UInt64 { UInt64(max(0, self / unit)) }
}
