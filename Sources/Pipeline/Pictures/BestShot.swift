// SPDX-License-Identifier: Apache-2.0
/// Selects the frame for a track's best picture before the rest of the track's life is known. The type is pure.
///
/// The best frame so far is kept as a candidate. It is handed over when `interval` has passed since the last hand-over,
/// when the track goes missing, and when all tracks end. So each track stores one candidate, and is written at most
/// once per interval.
struct BestShot: Sendable, Equatable {
    /// The factor by which a better frame must exceed the best score. Otherwise the noise of a still scene would cause
    /// endless writes.
    static let improvement: Float = 1.05

    enum Step: Sendable, Equatable {
        /// No change.
        case pass
        /// The frame becomes the candidate.
        case keep
        /// The frame becomes the candidate and is handed over.
        case take
        /// The previous candidate is handed over.
        case takeKept
    }

    private var best: Float?
    private var hasCandidate = false
    /// The presentation time of the last hand-over, in nanoseconds.
    private var taken: Int64?

    /// Takes a frame in which the track was detected.
    mutating func seen(score: Float, at time: Int64, interval: Int64) -> Step {
        let isDue = taken.map { time - $0 >= interval || time < $0 } ?? true
        let isBetter = best.map { score > $0 * Self.improvement } ?? true
        if isBetter {
            best = score
            hasCandidate = !isDue
            if isDue { taken = time }
            return isDue ? .take : .keep
        }
        return isDue ? takeCandidate(at: time) : .pass
    }

    /// Takes a frame without a detection of the track, or the end of the track.
    mutating func missed(at time: Int64) -> Step { takeCandidate(at: time) }

    private mutating func takeCandidate(at time: Int64) -> Step {
        guard hasCandidate else { return .pass }
        hasCandidate = false
        taken = time
        return .takeKept
    }
}
