/// When the daemon counts as started: each pipeline has said how it is, or has been given long enough to.
struct Readiness {
    /// A camera that takes longer to answer is started, as far as the daemon is concerned, and goes on connecting.
    static let patience = Duration.seconds(5)

    private let started: ContinuousClock.Instant
    private(set) var isReady = false

    init(at instant: ContinuousClock.Instant) {
        started = instant
    }

    /// - Parameter states: each pipeline's newest `source` state.
    /// - Returns: whether this moment is the one.
    mutating func isReached(_ states: some Sequence<String>, at instant: ContinuousClock.Instant) -> Bool {
        guard !isReady else { return false }
        isReady = instant - started >= Self.patience || states.allSatisfy { $0 != "connecting" }
        return isReady
    }
}
