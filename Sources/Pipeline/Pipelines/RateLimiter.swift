// SPDX-License-Identifier: Apache-2.0
/// Limits the rate of frames by their own time, frame by frame. A skipped frame leaves the state unchanged, so a replay
/// of the admitted frames admits them all again.
package struct RateLimiter {
    /// The interval in nanoseconds; 0 admits every frame.
    private var interval: Int64
    private var next: Int64?

    /// - Parameter maximumRate: frames per second; 0 admits every frame.
    package init(maximumRate: Double) {
        // The limit of one year is longer than any stream needs, and leaves room for additions.
        interval = maximumRate > 0 ? Int64(min(1e9 / maximumRate, 3.2e16)) : 0
    }

    /// Changes the rate and admits the next frame. An equal rate changes nothing.
    package mutating func change(maximumRate: Double) {
        let other = RateLimiter(maximumRate: maximumRate)
        if other.interval != interval { self = other }
    }

    /// - Parameter time: the presentation time in nanoseconds. Time that runs backwards restarts the interval.
    package mutating func admits(_ time: Int64) -> Bool {
        guard interval > 0 else { return true }
        let due = next ?? time
        let (late, isFar) = time.subtractingReportingOverflow(due)
        if !isFar, late < 0, late >= -interval { return false }
        // The due times form a grid instead of following the last run, so that the average rate holds at any frame
        // rate. A frame off the grid, after a pause or a jump back, starts a new grid.
        next = (!isFar && late >= 0 && late < interval ? due : time).addingReportingOverflow(interval).partialValue
        return true
    }
}
