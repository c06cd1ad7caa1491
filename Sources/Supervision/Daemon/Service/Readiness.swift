// SPDX-License-Identifier: Apache-2.0
/// Decides when the daemon counts as started: each pipeline has reported its state, or enough time has passed.
struct Readiness {
    /// The time after which a slow camera no longer delays the start. The camera goes on connecting.
    static let patience = Duration.seconds(5)

    private let started: ContinuousClock.Instant
    private(set) var isReady = false

    init(at instant: ContinuousClock.Instant) {
        started = instant
    }

    /// - Parameter states: the newest `source` state of each pipeline.
    /// - Returns: true exactly once, when the daemon counts as started.
    mutating func isReached(_ states: some Sequence<String>, at instant: ContinuousClock.Instant) -> Bool {
        guard !isReady else { return false }
        isReady = instant - started >= Self.patience || states.allSatisfy { $0 != "connecting" }
        return isReady
    }
}
