/// What subscribers' wishes may cost everybody: the steps that all of them together may take on the event loop.
///
/// A step is a state of a pattern reached in a value, or what takes about as long (measured: 6 ms for the half million steps of the worst
/// pattern and value). What nobody has to ask for, lines that are passed on as they are, takes none. There are so many steps in each interval; who finds none left waits in a queue, and there gets
/// a share at a time, so that who needs few has them before those who need many. What one request takes too much is missing in the next
/// intervals.
package struct WorkBudget: Sendable {
    package static let interval = Duration.milliseconds(10)
    /// In each interval.
    static let steps = 50_000
    /// What one subscriber takes before it is another's turn.
    static let share = 2000

    private var left = Self.steps
    private var since: ContinuousClock.Instant

    package init(at instant: ContinuousClock.Instant) { since = instant }

    /// - Returns: how many steps a subscriber may take now; 0 when it has to wait.
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

    /// Of a line that is passed over.
    static let stepsOfPassing = 8

    /// Of a line that is taken apart.
    static func stepsOfReading(_ bytes: Int) -> Int { 16 + bytes / 8 }

    /// Of a line that a subscriber sends.
    static func stepsOfRequest(_ bytes: Int) -> Int { 300 + 4 * bytes }

    /// Of lines that are written for one subscriber alone (measured: 0.7 ns a byte of a `state`, its system calls included).
    static func stepsOfWriting(_ bytes: Int) -> Int { bytes / 16 }
}
