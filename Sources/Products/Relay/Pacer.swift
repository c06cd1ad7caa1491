// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Limits the rate of events to `replay_rate`, or to twice the rate of new events if that is more. A destination that
/// keeps up therefore never waits. The type is pure: the caller gives the time.
package struct Pacer: Sendable {
    /// The time over which the rate of new events is averaged, in seconds.
    private static let averaging = 2.0
    /// Messages without a turn wait this long, in seconds, and go together. One at a time, 2,000 a second took 77 us of
    /// processor time each.
    private static let rest = 0.02

    /// Messages per second; 0: no limit.
    private let floor: Double
    /// New events per second, an exponentially weighted average.
    private var incoming = 0.0
    private var averaged: ContinuousClock.Instant
    private var tokens: Double
    private var filled: ContinuousClock.Instant
    private var isResting = false

    package init(rate: Int, at now: ContinuousClock.Instant) {
        floor = Double(rate)
        (averaged, filled) = (now, now)
        tokens = Double(rate) / 4
    }

    private var rate: Double { max(floor, 2 * incoming) }
    /// The turns of one rest.
    private var batch: Double { max(1, rate * Self.rest) }

    /// A new event of the destination's types has come.
    package mutating func eventArrived(at now: ContinuousClock.Instant) {
        decay(now)
        incoming += 1 / Self.averaging
    }

    /// Whether a message may go now; it then counts.
    package mutating func takeTurn(at now: ContinuousClock.Instant) -> Bool {
        guard floor > 0 else { return true }
        decay(now)
        tokens = min(max(rate / 4, 1), tokens + rate * seconds(now - filled))
        filled = now
        isResting = tokens < (isResting ? batch : 1)
        if isResting { return false }
        tokens -= 1
        return true
    }

    /// The time until the next turn.
    package var wait: Duration {
        let needed = (isResting ? batch : 1) - tokens
        return needed <= 0 || floor == 0 ? .zero : .seconds(needed / rate)
    }

    private mutating func decay(_ now: ContinuousClock.Instant) {
        incoming *= exp(-seconds(now - averaged) / Self.averaging)
        averaged = now
    }

    private func seconds(_ duration: Duration) -> Double { max(0, duration / .seconds(1)) }
}
