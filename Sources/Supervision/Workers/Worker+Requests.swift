// SPDX-License-Identifier: Apache-2.0
import EventLines
import NIOCore
import Observations
import Search
import WorkerChannel

/// Requests of people.
extension Worker {
    /// - Returns: completes when the process has ended.
    package func pause() throws(WorkerStateMachine.Refusal) -> EventLoopFuture<Void> {
        perform(try machine.pauseRequested(at: .now))
        return whenSettled()
    }

    /// - Returns: completes when a process runs.
    package func resume() throws(WorkerStateMachine.Refusal) -> EventLoopFuture<Void> {
        perform(try machine.resumeRequested(at: .now))
        // A pipeline that was paused while it ran on demand may have no subscriber.
        if !isNeeded { perform(machine.unneeded(at: .now)) }
        return whenSettled()
    }

    /// - Returns: completes when a new process runs.
    package func restart(
        _ reason: CompletionReason = .shutdown
    ) throws(WorkerStateMachine.Refusal) -> EventLoopFuture<Void> {
        perform(try machine.restartRequested(reason, at: .now))
        return whenSettled()
    }

    /// Ends the back-off of a waiting worker and starts it at once.
    func retry() { perform(machine.retryRequested(at: .now)) }

    /// Applies a new configuration. A paused pipeline stays paused.
    ///
    /// - Returns: completes when the configuration is in force.
    func replace(by pipeline: WorkerPipeline) -> EventLoopFuture<Void> {
        reconfigure(pipeline)
        if !pipeline.onDemand, !isNeeded { isNeeded = true }
        if machine.isPaused { return eventLoop.makeSucceededVoidFuture() }
        // A pipeline on its way out refuses the restart, and needs no configuration.
        return (try? restart(.reload)) ?? eventLoop.makeSucceededVoidFuture()
    }

    /// Reports only one track of a detector.
    ///
    /// - Throws: `Refusal` if no worker runs, or the pipeline has no such detector.
    package func focus(_ focus: WorkerFocus) throws(WorkerStateMachine.Refusal) {
        guard pipeline.detectors.contains(focus.detector) else {
            let names = pipeline.detectors.joined(separator: ", ")
            throw .init(description: "unknown detector \"\(focus.detector)\"; the detectors are: \(names)")
        }
        guard current != nil, machine.isSettled else { throw .init(description: "no worker is running") }
        send(.focus(focus))
    }

    /// Passes a command to the pipeline's live search.
    ///
    /// - Throws: `Refusal` if the pipeline has no search, or no worker runs.
    package func search(_ command: SearchCommand) throws(WorkerStateMachine.Refusal) {
        guard pipeline.hasSearch else { throw .init(description: "it has no [search]") }
        guard current != nil, machine.isSettled else { throw .init(description: "no worker is running") }
        send(.search(command))
    }

    /// Whether the source delivers frames and every detector works, with the newest configuration. A file at its end
    /// also counts, if every detector worked.
    var isOperational: Bool {
        guard !isReconfigured else { return false }
        let ledger = stream.log.ledger(ofPipeline: index)
        let working = ledger.detectors.filter(\.isOperational).map(\.name)
        let delivers = [SourceEvent.State.connected, .idle].map(\.rawValue).contains(ledger.state)
        return (delivers || machine.hasEnded)
            && pipeline.detectors.allSatisfy(working.contains)
    }

    var status: WorkerStatus {
        WorkerStatus(
            file: pipeline.file, process: current?.child.pid,
            epoch: stream.log.epochs(ofPipeline: index) + machine.epoch,
            age: current.map { .now - $0.since },
            restarts: machine.restarts, memory: current?.use?.memory, warning: current?.log.newestWarning,
            meter: current?.meter ?? WorkerMeter(),
            ledger: stream.log.ledger(ofPipeline: index))
    }
}
