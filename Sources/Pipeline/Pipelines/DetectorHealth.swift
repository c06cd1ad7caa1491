/// Decides when a failing detector counts as not operational, and when to try it again. Times are frame times in
/// seconds.
struct DetectorHealth {
    /// The number of failures in a row that are the detector's fault. A single failure is the frame's fault.
    static let failuresInARow = 5
    static let retryInterval = 30.0

    enum Verdict: Equatable {
        case goOn, giveUp
    }

    private var failures = 0
    private var lastAttempt: Double?
    /// Whether a failure to load has not been reported yet.
    private(set) var isFirstReport = true

    mutating func succeeded() {
        failures = 0
        isFirstReport = true
    }

    mutating func failed(at time: Double) -> Verdict {
        failures += 1
        guard failures >= Self.failuresInARow else { return .goOn }
        lastAttempt = time
        isFirstReport = false
        return .giveUp
    }

    mutating func failedToLoad(at time: Double) {
        lastAttempt = time
        isFirstReport = false
    }

    func mayRetry(at time: Double) -> Bool {
        guard let lastAttempt else { return true }
        return abs(time - lastAttempt) >= Self.retryInterval
    }
}
