// SPDX-License-Identifier: Apache-2.0
/// Keeps a fault that repeats from filling the log: every fault is counted. The first is logged at once, later ones at
/// most once in an interval, with the total.
package struct ComplaintLimiter: Sendable {
    private let interval: Duration
    private var lastTold: ContinuousClock.Instant?
    package private(set) var total = 0

    package init(interval: Duration = .seconds(1)) {
        self.interval = interval
    }

    /// Counts one more, and says whether it is time to tell.
    package mutating func count(at now: ContinuousClock.Instant) -> Bool {
        total += 1
        if let lastTold, now - lastTold < interval { return false }
        lastTold = now
        return true
    }
}
