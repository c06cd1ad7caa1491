/// Lets frames through at most so often, by the frames' own time: frame by frame, so that a replay runs on the same ones. A frame that is
/// left out changes nothing, so those that were let through are let through again.
package struct RateLimiter {
    /// Nanoseconds; 0 lets everything through.
    private var interval: Int64
    private var next: Int64?

    /// - Parameter maximumRate: per second; 0 lets everything through.
    package init(maximumRate: Double) {
        // A year is as good as never, and leaves room to add.
        interval = maximumRate > 0 ? Int64(min(1e9 / maximumRate, 3.2e16)) : 0
    }

    /// Goes on at another rate, the next frame being let through; nothing changes at the same one.
    package mutating func change(maximumRate: Double) {
        let other = RateLimiter(maximumRate: maximumRate)
        if other.interval != interval { self = other }
    }

    /// - Parameter time: presentation time in nanoseconds. Time that runs backwards starts anew.
    package mutating func admits(_ time: Int64) -> Bool {
        guard interval > 0 else { return true }
        let due = next ?? time
        let (late, isFar) = time.subtractingReportingOverflow(due)
        if !isFar, late < 0, late >= -interval { return false }
        // A grid, not "interval after the last run": the rate holds on average whatever the frame rate. A frame off the grid, after
        // a pause or a jump back, starts a new one.
        next = (!isFar && late >= 0 && late < interval ? due : time).addingReportingOverflow(interval).partialValue
        return true
    }
}
