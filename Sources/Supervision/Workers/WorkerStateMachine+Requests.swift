// SPDX-License-Identifier: Apache-2.0
import Observations

/// Requests of people and of the configuration. A stop in progress can change its purpose, but not its reason, which
/// the worker already knows.
extension WorkerStateMachine {
    /// Whether no request is in progress.
    package var isSettled: Bool {
        if case .alive(let life) = state { return life.stop == nil }
        return true
    }

    /// Whether the worker is paused or not needed, or is being stopped for one of these reasons.
    package var isPaused: Bool {
        switch state {
        case .resting(.paused), .resting(.unneeded): true
        case .alive(let life): life.stop?.purpose == .pause || life.stop?.purpose == .rest
        default: false
        }
    }

    /// Whether the worker ended with success and no request followed.
    package var hasEnded: Bool { if case .resting(.ended) = state { true } else { false } }

    /// Stops the worker permanently.
    package mutating func stopRequested(_ reason: CompletionReason, at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .alive(let life):
            return stop(life, .end, reason, at: now)
        case .idle, .waiting, .resting:
            state = .over
            return [.finish]
        case .over:
            return []
        }
    }

    /// - Throws: `Refusal` if the pipeline is being removed.
    package mutating func pauseRequested(at now: ContinuousClock.Instant) throws(Refusal) -> [Action] {
        switch state {
        case .alive(let life):
            if life.stop?.purpose == .end { throw .leaving }
            return stop(life, .pause, .shutdown, at: now)
        case .resting(.paused):
            return []
        case .idle, .waiting, .resting:
            state = .resting(.paused)
            return [.report(.paused)]
        case .over:
            throw .leaving
        }
    }

    /// Starts a paused worker, or ends the back-off of a waiting one.
    ///
    /// - Throws: `Refusal` if the worker cannot be resumed.
    package mutating func resumeRequested(at now: ContinuousClock.Instant) throws(Refusal) -> [Action] {
        switch state {
        case .alive(let life):
            switch life.stop?.purpose {
            case .pause, .restart: return stop(life, .restart, .shutdown, at: now)
            case .rest: throw .unneeded
            case .end: throw .leaving
            case nil: throw Refusal(description: "it is not paused")
            }
        case .resting(.ended):
            throw Refusal(description: "its file has ended; restart runs it again")
        case .resting(.unneeded):
            throw .unneeded
        case .idle, .waiting, .resting:
            return spawnAnew(at: now)
        case .over:
            throw .leaving
        }
    }

    /// Starts a new worker in place of the running one, if any.
    ///
    /// - Throws: `Refusal` if the pipeline is being removed.
    package mutating func restartRequested(
        _ reason: CompletionReason, at now: ContinuousClock.Instant
    ) throws(Refusal) -> [Action] {
        switch state {
        case .alive(let life):
            if life.stop?.purpose == .end { throw .leaving }
            if life.stop?.purpose == .rest { throw .unneeded }
            return stop(life, .restart, reason, at: now)
        case .resting(.unneeded):
            throw .unneeded
        case .idle, .waiting, .resting:
            countRestart(.request)
            return spawnAnew(at: now)
        case .over:
            throw .leaving
        }
    }

    mutating func stop(
        _ alive: Life, _ purpose: Stop.Purpose, _ reason: CompletionReason, at now: Instant
    ) -> [Action] {
        var life = alive
        let isFirst = life.stop == nil
        var stop = life.stop ?? Stop(purpose: purpose, reason: reason, step: .asked, deadline: now + limits.stop * 0.6)
        stop.purpose = purpose
        life.stop = stop
        state = .alive(life)
        return isFirst ? [.ask(reason)] : []
    }

    /// Handles the end of a worker that was asked to stop, whatever its exit status.
    mutating func stopped(_ stop: Stop, at now: Instant) -> [Action] {
        switch stop.purpose {
        case .end:
            state = .over
            return [.cleanUp(stop.reason), .finish]
        case .pause:
            state = .resting(.paused)
            return [.cleanUp(stop.reason), .report(.paused)]
        case .rest:
            state = .resting(.unneeded)
            return [.cleanUp(stop.reason), .reportRest]
        case .restart:
            countRestart(.request)
            return [.cleanUp(stop.reason)] + spawnAnew(at: now)
        }
    }
}

extension WorkerStateMachine.Refusal {
    fileprivate static let leaving = Self(description: "it is being removed")
    fileprivate static let unneeded = Self(
        description: "it has no subscriber, and it runs on demand (source.on_demand)")
}
