// SPDX-License-Identifier: Apache-2.0

/// Spreads the starts of many processes over time. It belongs to one event loop, and reads no clock.
///
/// A start takes more than a second of a processor: it loads libraries and networks, and decodes every frame until the
/// picture is at rest. Thirty-two workers that started at once on two processors starved each other. Networks took over
/// 30 s, and the supervisor replaced their workers again and again.
///
/// The starts follow the generic cell rate algorithm (ITU-T I.371). A process that ends gives its start back, so that a
/// worker that crashes again and again waits for its back-off only.
package final class StartPace {
    package typealias Instant = ContinuousClock.Instant

    /// The time between two starts after the first ones.
    private let interval: Duration
    /// The span of time that starts may be ahead of the pace.
    private let lead: Duration
    private var next: Instant?

    /// Allows four starts for each processor at once, and then one in 1.5 s for each.
    package init(processors: Int) {
        interval = .seconds(1.5) / max(1, processors)
        lead = interval * (4 * max(1, processors) - 1)
    }

    /// - Returns: the time of the next start, `now` or later. It counts as used.
    package func reserve(at now: Instant) -> Instant {
        let due = max(next ?? now, now)
        next = due + interval
        return max(now, due - lead)
    }

    /// Takes note of a process that has ended, or that did not start after all.
    package func giveBack() { next = next.map { $0 - interval } }
}
