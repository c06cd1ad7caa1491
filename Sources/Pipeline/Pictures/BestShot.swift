/// Which of a track's frames becomes its best picture, while the rest of its life is not known. Pure.
///
/// The best frame so far waits as a candidate; it is handed over when none was for `interval`, when the track is missing, and when all tracks
/// end. So each track keeps one candidate, and is written at most once in each interval.
struct BestShot: Sendable, Equatable {
    /// Who is better by less is not better: the noise of a still scene would write pictures for ever.
    static let improvement: Float = 1.05

    enum Step: Sendable, Equatable {
        /// Nothing changes.
        case pass
        /// The frame is the candidate now.
        case keep
        /// The frame is the candidate now, and is handed over.
        case take
        /// The candidate from before is handed over.
        case takeKept
    }

    private var best: Float?
    private var hasCandidate = false
    /// Presentation time of the last hand-over, in nanoseconds.
    private var taken: Int64?

    /// The track is there in a frame.
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

    /// The track is not there, or will not be any more.
    mutating func missed(at time: Int64) -> Step { takeCandidate(at: time) }

    private mutating func takeCandidate(at time: Int64) -> Step {
        guard hasCandidate else { return .pass }
        hasCandidate = false
        taken = time
        return .takeKept
    }
}
