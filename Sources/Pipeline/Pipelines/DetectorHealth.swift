// SPDX-License-Identifier: Apache-2.0
/// Decides when a failing detector counts as not operational, and when to try it again. Times are frame times in
/// seconds.
struct DetectorHealth {
    /// The number of failures in a row that are the detector's fault. A single failure is the frame's fault.
    static let failuresInARow = 5
    /// The longest wait before the next attempt.
    static let retryInterval = 30.0
    /// A detector that has worked for this time after an attempt has its first wait again.
    static let steadyTime = 60.0

    enum Verdict: Equatable {
        case goOn, giveUp
    }

    private var failures = 0
    /// The number of times that the detector ended by itself.
    private var ends = 0
    private var lastAttempt: Double?
    /// Whether a failure to load has not been reported yet.
    private(set) var isFirstReport = true

    mutating func loaded() {
        failures = 0
        isFirstReport = true
    }

    mutating func detected(at time: Double) {
        failures = 0
        if ends > 0, let lastAttempt, abs(time - lastAttempt) >= Self.steadyTime { ends = 0 }
    }

    /// - Parameter isEnd: whether the detector cannot go on.
    mutating func failed(at time: Double, isEnd: Bool = false) -> Verdict {
        failures += 1
        guard isEnd || failures >= Self.failuresInARow else { return .goOn }
        failedToLoad(at: time, isEnd: isEnd)
        return .giveUp
    }

    mutating func failedToLoad(at time: Double, isEnd: Bool = false) {
        lastAttempt = time
        isFirstReport = false
        if isEnd { ends += 1 }
    }

    func mayRetry(at time: Double) -> Bool {
        guard let lastAttempt else { return true }
        return abs(time - lastAttempt) >= interval
    }

    /// 1 s after the first end, then twice as long after each further one.
    private var interval: Double {
        (1...5).contains(ends) ? Double(1 << (ends - 1)) : Self.retryInterval
    }
}
