import EventLines
import NIOCore
import Observations
import Search
import WorkerChannel

/// What people ask for.
extension Worker {
    /// - Returns: done when there is no process.
    package func pause() throws(WorkerStateMachine.Refusal) -> EventLoopFuture<Void> {
        perform(try machine.pauseRequested(at: .now))
        return whenSettled()
    }

    /// - Returns: done when there is a process.
    package func resume() throws(WorkerStateMachine.Refusal) -> EventLoopFuture<Void> {
        perform(try machine.resumeRequested(at: .now))
        // What was paused while it ran on demand has nobody yet.
        if !isNeeded { perform(machine.unneeded(at: .now)) }
        return whenSettled()
    }

    /// - Returns: done when there is a new process.
    package func restart(
        _ reason: CompletionReason = .shutdown
    ) throws(WorkerStateMachine.Refusal) -> EventLoopFuture<Void> {
        perform(try machine.restartRequested(reason, at: .now))
        return whenSettled()
    }

    /// Tries at once what waits for its next try.
    func retry() { perform(machine.retryRequested(at: .now)) }

    /// Another configuration. What is paused stays paused.
    ///
    /// - Returns: done when it is in force.
    func replace(by pipeline: WorkerPipeline) -> EventLoopFuture<Void> {
        reconfigure(pipeline)
        if !pipeline.onDemand, !isNeeded { isNeeded = true }
        if machine.isPaused { return eventLoop.makeSucceededVoidFuture() }
        // On its way out it is refused, and needs no configuration.
        return (try? restart(.reload)) ?? eventLoop.makeSucceededVoidFuture()
    }

    /// Reports one track of a detector alone.
    ///
    /// - Throws: `Refusal` when no worker runs, or the pipeline has no such detector.
    package func focus(_ focus: WorkerFocus) throws(WorkerStateMachine.Refusal) {
        guard pipeline.detectors.contains(focus.detector) else {
            let names = pipeline.detectors.joined(separator: ", ")
            throw .init(description: "it has no detector \"\(focus.detector)\"; its detectors: \(names)")
        }
        guard current != nil, machine.isSettled else { throw .init(description: "it has no worker now") }
        send(.focus(focus))
    }

    /// Passes a command on to the pipeline's live search.
    ///
    /// - Throws: `Refusal` when the pipeline has no search, or no worker runs.
    package func search(_ command: SearchCommand) throws(WorkerStateMachine.Refusal) {
        guard pipeline.hasSearch else { throw .init(description: "it has no [search]") }
        guard current != nil, machine.isSettled else { throw .init(description: "it has no worker now") }
        send(.search(command))
    }

    /// The source gives frames, and every detector works, with the newest configuration; or the file is at its end and every detector has worked.
    var isOperational: Bool {
        guard !isReconfigured else { return false }
        let ledger = stream.log.ledger(ofPipeline: index)
        let working = ledger.detectors.filter(\.isOperational).map(\.name)
        return (ledger.state == SourceEvent.State.connected.rawValue || machine.hasEnded)
            && pipeline.detectors.allSatisfy(working.contains)
    }

    var status: WorkerStatus {
        WorkerStatus(
            file: pipeline.file, process: current?.child.pid,
            epoch: stream.log.epochs(ofPipeline: index) + machine.epoch,
            age: current.map { .now - $0.since },
            restarts: machine.restarts, memory: current?.memory, received: current?.meter.newest?.received ?? 0,
            receivedPerSecond: current?.meter.receivedPerSecond, lanes: current?.meter.lanes ?? [],
            pictures: current?.meter.newest?.pictures, ledger: stream.log.ledger(ofPipeline: index))
    }
}
