// SPDX-License-Identifier: Apache-2.0
/// Bounds the time that all subscribers' requests together may take on the event loop, counted in steps.
///
/// A step is one state of a pattern reached in a value, or work of about equal duration. Measured: the half million
/// steps of the worst pattern and value took 6 ms. Lines that are passed on unchanged take no steps.
///
/// Each interval has a fixed number of steps. Subscribers that have used up the budget wait in a queue and get one
/// share per turn, so that small requests finish before large ones. A request that exceeds the budget reduces the
/// budget of the next intervals.
package struct WorkBudget: Sendable {
    package static let interval = Duration.milliseconds(10)
    /// The number of steps in each interval.
    static let steps = 50_000
    /// The number of steps that one subscriber takes before the next one's turn.
    static let share = 2000

    private var left = Self.steps
    private var since: ContinuousClock.Instant

    package init(at instant: ContinuousClock.Instant) { since = instant }

    /// - Returns: the number of steps that a subscriber may take now; 0 if it has to wait.
    package mutating func share(at instant: ContinuousClock.Instant) -> Int {
        if instant - since >= Self.interval {
            let intervals = min(1000, Int((instant - since) / Self.interval))
            left = min(Self.steps, left + intervals * Self.steps)
            since = instant
        }
        return max(0, min(Self.share, left))
    }

    package mutating func spend(_ steps: Int) { left -= steps }

    // MARK: Prices

    /// The steps for a skipped line.
    static let stepsOfPassing = 8

    /// The steps for a parsed line.
    static func stepsOfReading(_ bytes: Int) -> Int { 16 + bytes / 8 }

    /// The steps for a line from a subscriber.
    static func stepsOfRequest(_ bytes: Int) -> Int { 300 + 4 * bytes }

    /// The steps for lines that are written for one subscriber alone. Measured: 0.7 ns per byte of a `state`, including
    /// its system calls.
    static func stepsOfWriting(_ bytes: Int) -> Int { bytes / 16 }
}
