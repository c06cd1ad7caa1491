// SPDX-License-Identifier: Apache-2.0
import Observations

/// Demand for a worker that runs only while it is needed. Requests of people come first: a paused worker stays paused.
extension WorkerStateMachine {
    /// Stops the worker, because it is no longer needed.
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

    /// Starts the worker, because it is needed again.
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
