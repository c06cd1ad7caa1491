import Observations

/// A worker that runs only while somebody needs it. What people asked for comes first: a pause stays one.
extension WorkerStateMachine {
    /// There is nobody for whom it would run.
    package mutating func unneeded(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .idle, .waiting:
            state = .resting(.unneeded)
            return [.reportRest]
        case .alive(let life):
            guard life.stop == nil || life.stop?.purpose == .restart else { return [] }
            return stop(life, .rest, .shutdown, at: now)
        case .resting, .over:
            return []
        }
    }

    /// There is somebody again.
    package mutating func needed(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .resting(.unneeded):
            return spawnAnew(at: now)
        case .alive(let life) where life.stop?.purpose == .rest:
            return stop(life, .restart, .shutdown, at: now)
        case .idle, .alive, .waiting, .resting, .over:
            return []
        }
    }
}
