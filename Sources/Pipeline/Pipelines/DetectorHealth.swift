/// When a failing detector counts as not operational, and when it is tried again. Time is the frames' own, in seconds.
struct DetectorHealth {
    /// One bad frame is the frame's fault; so many in a row are the detector's.
    static let failuresInARow = 5
    static let retryInterval = 30.0

    enum Verdict: Equatable {
        case goOn, giveUp
    }

    private var failures = 0
    private var lastAttempt: Double?
    /// Whether an inability to load has not been told yet.
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
