// SPDX-License-Identifier: Apache-2.0
import Observations

/// The newest values of a table of metrics, and the rates of its counters.
package struct MeteredMetrics<Key: MetricKey>: Sendable {
    package private(set) var values = MetricValues<Key>()
    /// The meters of the metrics whose row names a rate.
    private var meters: [Int: RateMeter] = [:]

    mutating func record(_ values: MetricValues<Key>, at now: ContinuousClock.Instant) {
        self.values = values
        for key in Key.allCases where key.row.rate != nil {
            meters[key.rawValue, default: RateMeter()].record(values[key], at: now)
        }
    }

    /// The increase per second; nil before the second value, and for metrics without a rate.
    package func perSecond(_ key: Key) -> Double? { meters[key.rawValue]?.perSecond }
}
