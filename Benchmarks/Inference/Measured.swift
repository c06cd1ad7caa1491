// SPDX-License-Identifier: Apache-2.0
import CAllocations
import Glibc

/// The least CPU time of many runs, and the allocations of all.
struct Measured {
    /// Milliseconds.
    private(set) var least = Double.infinity
    private var runs = 0
    private var allocated = 0

    /// A run.
    var allocations: Double { Double(allocated) / Double(max(runs, 1)) }

    mutating func measure(_ body: () throws -> Void) rethrows {
        let before = Int(allocations_count())
        let start = Self.now()
        try body()
        least = min(least, Self.now() - start)
        allocated += Int(allocations_count()) - before
        runs += 1
    }

    /// Milliseconds of CPU of this process.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
