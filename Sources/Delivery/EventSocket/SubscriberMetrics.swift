// SPDX-License-Identifier: Apache-2.0
import Glibc
import Observations

/// The metrics of all subscribers of an event socket together.
package struct SubscriberMetrics: Sendable {
    /// The number of connected subscribers.
    package var subscribers = 0
    /// The number of `gap` lines sent.
    package var gaps: UInt64 = 0
    /// The bytes of events that subscribers have not taken yet, as far as the journal in memory has them.
    package var waitingBytes = 0
    /// For each event of a worker, the time from its encoding until it was written to every subscriber that keeps up.
    /// Events without a subscriber do not count.
    package var delivery = DurationHistogram()
}

/// The clock that all processes of the machine share.
enum MonotonicClock {
    /// Since an arbitrary time before this process began.
    static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
