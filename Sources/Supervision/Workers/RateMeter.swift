// SPDX-License-Identifier: Apache-2.0
/// The growth rate of a total, over the last few seconds.
package struct RateMeter: Sendable {
    static let window = Duration.seconds(5)

    private var samples: [(time: ContinuousClock.Instant, total: UInt64)] = []

    package init() {}

    package mutating func record(_ total: UInt64, at now: ContinuousClock.Instant) {
        // A lower total comes from another worker.
        if let last = samples.last, total < last.total { samples.removeAll() }
        samples.append((now, total))
        while samples.count > 2, now - samples[1].time >= Self.window { samples.removeFirst() }
    }

    /// The rate per second; nil before the second sample.
    package var perSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return nil }
        return Double(last.total - first.total) / ((last.time - first.time) / .seconds(1))
    }
}
