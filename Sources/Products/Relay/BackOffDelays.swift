// SPDX-License-Identifier: Apache-2.0
/// The delays between connections to destinations: from 100 ms, twice as long each time, to 30 s. Half of a delay is
/// random, so that many boxes do not return to a broker at one moment.
struct BackOffDelays {
    private var delay = Duration.milliseconds(100)

    mutating func next() -> Duration {
        defer { delay = min(delay * 2, .seconds(30)) }
        return delay * Double.random(in: 0.5...1)
    }

    mutating func reset() { delay = .milliseconds(100) }
}
