// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// Decides when to start and end a pipeline's worker, and which events report its death. The type is pure: facts go in,
/// actions come out, and `Worker` carries them out.
package struct WorkerStateMachine: Sendable {
    package struct Limits: Sendable, Equatable {
        /// The time from the stop request to the last kill.
        package var stop: Duration
        /// The first and the longest delay before a restart.
        package var backoff: ClosedRange<Duration>
        /// The number of crashes within the window after which the pipeline is disabled for a while.
        package var crashes: Int
        package var crashWindow: Duration
        /// The time that a disabled pipeline waits.
        package var disabled: Duration = .seconds(300)
        /// The time without a heartbeat after which a worker counts as hanging. It applies from the worker's first
        /// heartbeat on.
        package var heartbeat: Duration = .seconds(10)
        /// The longest time for the remaining output of a dead worker, or for the death of a worker that closed its
        /// output.
        package var drain: Duration = .seconds(1)
        /// The longest time that one part of a worker may take.
        package var stall: Duration = .seconds(30)

        package init(stop: Duration, backoff: ClosedRange<Duration>, crashes: Int, crashWindow: Duration) {
            self.stop = stop
            self.backoff = backoff
            self.crashes = crashes
            self.crashWindow = crashWindow
        }
    }

    package enum Exit: Sendable, Equatable {
        case status(Int32)
        case signal(Int32)
    }

    /// The reasons for a new process after the first.
    package enum RestartReason: String, Sendable, CaseIterable {
        /// The worker reported the loss of its source.
        case source
        /// The worker ended by itself, with an error or by a signal.
        case crash
        /// The supervisor killed the worker, for example without heartbeats or over a limit, or could not start it.
        case fault
        /// A person or a new configuration wanted it.
        case request
    }

    /// The reason why a request is refused.
    package struct Refusal: Error, Equatable, CustomStringConvertible {
        package var description: String
    }

    package enum Action: Sendable, Equatable {
        /// Start a process; `epoch` counts the starts from 1.
        case spawn(epoch: UInt64)
        case ask(CompletionReason)
        case terminate
        /// nil: the worker was asked to end, and does not.
        case kill(String?)
        /// The process is gone or given up: close its channels, and end its tracks.
        case cleanUp(CompletionReason)
        case report(SourceEvent.State, attempt: Int? = nil, retry: Duration? = nil, error: String? = nil)
        /// Report that the worker rests because it is not needed.
        case reportRest
        /// The machine has reached its end.
        case finish
    }

    typealias Instant = ContinuousClock.Instant

    enum State {
        case idle
        case alive(Life)
        /// No process runs, and one will be started.
        case waiting(until: Instant)
        case resting(Rest)
        case over
    }

    /// The reasons why no process runs until a request comes.
    enum Rest {
        case paused
        /// The worker is not needed (`source.on_demand`).
        case unneeded
        /// The worker ended with success: its file is at the end.
        case ended
        /// The worker reported an error in its configuration.
        case misconfigured
    }

    /// The state of one process.
    struct Life {
        var since: Instant
        var lastHeartbeat: Instant?
        var reportedLoss = false
        var exit: Exit?
        var outputClosed = false
        /// The time at which the process is considered gone, or is killed, even if its exit or its end of output is
        /// missing.
        var drainEnd: Instant?
        var stop: Stop?
        /// The reason why it was killed without a stop request.
        var fault: String?
    }

    struct Stop {
        enum Step { case asked, terminated, killed }
        /// The action after the stop.
        enum Purpose { case end, pause, rest, restart }
        var purpose: Purpose
        var reason: CompletionReason
        var step: Step
        var deadline: Instant
    }

    /// May change at any time.
    package var limits: Limits
    var state = State.idle
    /// The number of workers started so far.
    package private(set) var epoch: UInt64 = 0
    private var failures = 0
    private var crashes: [Instant] = []
    /// The number of starts after another worker, by reason.
    package private(set) var restartCounts: [RestartReason: UInt64] = [:]
    /// The reason of the newest loss.
    private var loss = RestartReason.crash
    /// The number of workers started after the loss of another.
    package var restarts: Int {
        Int(restartCounts.filter { $0.key != .request }.values.reduce(0, +))
    }

    package init(limits: Limits) {
        self.limits = limits
    }

    /// The next time at which `timePassed` has an action; nil if none is due.
    package var nextDeadline: ContinuousClock.Instant? {
        switch state {
        case .idle, .resting, .over: nil
        case .waiting(let until): until
        case .alive(let life): [life.drainEnd, life.stop?.deadline, heartbeatDeadline(life)].compactMap(\.self).min()
        }
    }

    // MARK: Facts

    package mutating func startRequested(at now: ContinuousClock.Instant) -> [Action] {
        guard case .idle = state else { return [] }
        return spawn(at: now)
    }

    package mutating func spawnFailed(
        _ reason: String, at now: ContinuousClock.Instant, jitter: Double
    ) -> [Action] {
        guard case .alive(var life) = state else { return [] }
        life.fault = reason
        return gone(life, at: now, jitter: jitter)
    }

    package mutating func heartbeatArrived(at now: ContinuousClock.Instant) {
        guard case .alive(var life) = state else { return }
        life.lastHeartbeat = now
        state = .alive(life)
    }

    /// Records the state of the source that the worker reported.
    package mutating func sourceReported(_ source: SourceEvent.State) {
        guard case .alive(var life) = state else { return }
        life.reportedLoss = source == .lost
        state = .alive(life)
    }

    /// Kills a worker after a fault, such as invalid output.
    package mutating func misbehaved(_ fault: String) -> [Action] {
        guard case .alive(var life) = state, life.fault == nil, life.exit == nil else { return [] }
        life.fault = fault
        state = .alive(life)
        return [.kill(fault)]
    }

    package mutating func exited(_ exit: Exit, at now: ContinuousClock.Instant, jitter: Double) -> [Action] {
        guard case .alive(var life) = state, life.exit == nil else { return [] }
        life.exit = exit
        life.drainEnd = now + limits.drain
        return life.outputClosed ? gone(life, at: now, jitter: jitter) : stay(life)
    }

    package mutating func outputClosed(at now: ContinuousClock.Instant, jitter: Double) -> [Action] {
        guard case .alive(var life) = state, !life.outputClosed else { return [] }
        life.outputClosed = true
        life.drainEnd = now + limits.drain
        return life.exit != nil ? gone(life, at: now, jitter: jitter) : stay(life)
    }

    /// - Parameter jitter: 0..<1, a new value for every call.
    package mutating func timePassed(at now: ContinuousClock.Instant, jitter: Double) -> [Action] {
        switch state {
        case .idle, .resting, .over: return []
        case .waiting(let until):
            guard now >= until else { return [] }
            countRestart(loss)
            return spawn(at: now)
        case .alive(let life): return timePassed(life, at: now, jitter: jitter)
        }
    }

    /// Ends the back-off, because the missing device may be available.
    package mutating func retryRequested(at now: ContinuousClock.Instant) -> [Action] {
        guard case .waiting = state else { return [] }
        countRestart(loss)
        return spawn(at: now)
    }

    // MARK: Steps

    mutating func countRestart(_ reason: RestartReason) { restartCounts[reason, default: 0] += 1 }

    /// Starts a worker on request. Earlier failures do not count.
    mutating func spawnAnew(at now: Instant) -> [Action] {
        (failures, crashes) = (0, [])
        return spawn(at: now)
    }

    private mutating func spawn(at now: Instant) -> [Action] {
        epoch += 1
        state = .alive(Life(since: now))
        return [.spawn(epoch: epoch)]
    }

    private mutating func stay(_ life: Life) -> [Action] {
        state = .alive(life)
        return []
    }

    private func heartbeatDeadline(_ life: Life) -> Instant? {
        guard life.fault == nil, life.exit == nil, life.stop == nil else { return nil }
        return life.lastHeartbeat.map { $0 + limits.heartbeat }
    }

    private mutating func timePassed(_ alive: Life, at now: Instant, jitter: Double) -> [Action] {
        var life = alive
        if let end = life.drainEnd, now >= end {
            // The worker is dead, but another process holds its output open. The supervisor does not wait for that
            // output.
            if life.exit != nil { return gone(life, at: now, jitter: jitter) }
            life.drainEnd = nil
            let fault = life.fault ?? "it closed its output without exiting"
            life.fault = fault
            state = .alive(life)
            return [.kill(fault)]
        }
        if let deadline = heartbeatDeadline(life), now >= deadline {
            return misbehaved("no heartbeat for \(limits.heartbeat)")
        }
        guard var stop = life.stop, now >= stop.deadline else { return [] }
        stop.deadline = now + limits.stop * 0.2
        switch stop.step {
        case .asked: stop.step = .terminated
        case .terminated: stop.step = .killed
        case .killed: return gone(life, at: now, jitter: jitter)
        }
        life.stop = stop
        state = .alive(life)
        return [stop.step == .terminated ? .terminate : .kill(nil)]
    }

    private mutating func gone(_ life: Life, at now: Instant, jitter: Double) -> [Action] {
        if let stop = life.stop { return stopped(stop, at: now) }
        if life.fault == nil, life.exit == .status(0) {
            state = .resting(.ended)
            return [.cleanUp(.endOfStream)]
        }
        let error = "the worker \(life.fault.map { "failed: \($0)" } ?? life.exit?.words ?? "has ended")"
        if life.exit == .status(Self.configurationErrorStatus) {
            state = .resting(.misconfigured)
            return [.cleanUp(.sourceLost), .report(.disabled, error: error)]
        }
        let lost: [Action] = life.reportedLoss ? [] : [.report(.lost, error: error)]
        return [.cleanUp(.sourceLost)] + lost + [retry(life, error, at: now, jitter: jitter)]
    }

    /// EX_CONFIG of sysexits.h: another attempt would fail too.
    private static let configurationErrorStatus: Int32 = 78

    private mutating func retry(_ life: Life, _ error: String, at now: Instant, jitter: Double) -> Action {
        loss = life.reportedLoss ? .source : life.fault == nil ? .crash : .fault
        // An unavailable source is not a crash: the worker reported it and ended in order.
        if !life.reportedLoss { crashes = crashes.filter { now - $0 < limits.crashWindow } + [now] }
        if crashes.count >= limits.crashes {
            crashes = []
            state = .waiting(until: now + limits.disabled)
            return .report(
                .disabled, retry: limits.disabled,
                error: "\(limits.crashes) crashes within \(limits.crashWindow); the last: \(error)")
        }
        failures = now - life.since > limits.backoff.upperBound ? 1 : failures + 1
        let wait = backoff(jitter)
        state = .waiting(until: now + wait)
        return .report(.retrying, attempt: failures, retry: wait)
    }

    /// The delay doubles with every failure in a row, up to the limit. It varies by a quarter, so that many workers do
    /// not restart at once.
    private func backoff(_ jitter: Double) -> Duration {
        let doubled = limits.backoff.lowerBound * (1 << min(failures - 1, 20))
        return min(min(doubled, limits.backoff.upperBound) * (0.75 + 0.5 * jitter), limits.backoff.upperBound)
    }
}

extension WorkerStateMachine.Exit {
    fileprivate var words: String {
        switch self {
        case .status(let status): "exited with status \(status)"
        case .signal(let signal): "was killed by signal \(signal)"
        }
    }
}
