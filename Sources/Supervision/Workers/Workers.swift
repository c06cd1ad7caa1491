// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
import Glibc
import Logging
import NIOCore
import Observations
import Search
import WorkerChannel

/// The worker processes of all pipelines: started, watched, restarted with back-off, and stopped.
///
/// It belongs to the log's event loop; all calls must be made there.
package final class Workers {
    /// The interval between measurements of the workers' resource use.
    private static let measureInterval = TimeAmount.seconds(1)

    private var workers: [String: Worker] = [:]
    private let reaper: ChildReaper
    private let resourceControl: WorkerResourceControl
    private let launcher: WorkerLauncher
    private let stream: EventStream
    private let eventLoop: any EventLoop
    private let logger: Logger
    private var measurement: RepeatedTask?
    private let pace = StartPace(processors: sysconf(CInt(_SC_NPROCESSORS_ONLN)))
    private var isStopping = false
    /// May change at any time.
    package var limits: WorkerStateMachine.Limits {
        didSet { for worker in workers.values { worker.machine.limits = limits } }
    }

    /// The limits and shares of a worker's resources. May change at any time; a running process keeps its values.
    package var resources: WorkerResources {
        get { resourceControl.resources }
        set { resourceControl.resources = newValue }
    }

    /// - Parameter launcher: starts the processes. It is closed after `stop`.
    package init(
        _ pipelines: [WorkerPipeline], limits: WorkerStateMachine.Limits,
        resources: WorkerResources = WorkerResources(), launcher: WorkerLauncher, stream: EventStream,
        eventLoop: any EventLoop, logger: Logger
    ) {
        resourceControl = WorkerResourceControl(resources, logger: logger)
        eventLoop.preconditionInEventLoop()
        self.eventLoop = eventLoop
        self.limits = limits
        self.launcher = launcher
        self.stream = stream
        self.logger = logger
        reaper = ChildReaper(eventLoop: eventLoop)
        for pipeline in pipelines { workers[pipeline.identity.name] = makeWorker(pipeline) }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        measurement = eventLoop.scheduleRepeatedTask(
            initialDelay: Self.measureInterval, delay: Self.measureInterval
        ) { _ in
            for worker in bound.value.workers.values { worker.measure() }
            bound.value.launcher.check()
        }
    }

    package func start() {
        eventLoop.preconditionInEventLoop()
        for worker in workers.values { worker.start() }
    }

    /// Stops all workers at once, first with a request, then with increasingly severe signals.
    ///
    /// - Returns: completes within the stop limit, when every worker is gone or given up and all their tracks have
    ///   ended.
    package func stop(_ reason: CompletionReason) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        isStopping = true
        measurement?.cancel()
        let bound = NIOLoopBound((reaper, launcher), eventLoop: eventLoop)
        return EventLoopFuture.andAllComplete(workers.values.map { $0.stop(reason) }, on: eventLoop)
            .always { _ in
                let (reaper, launcher) = bound.value
                reaper.close()
                launcher.close()
            }
    }

    /// The names of the pipelines in ascending order.
    package var names: [String] { workers.keys.sorted() }

    /// The metrics of all pipelines in ascending order of names.
    package var readings: [PipelineReading] {
        eventLoop.preconditionInEventLoop()
        return names.compactMap { workers[$0]?.reading }
    }

    /// - Returns: nil for an unknown pipeline.
    package func status(ofPipeline name: String) -> WorkerStatus? { workers[name]?.status }

    /// The process id of a pipeline's worker; nil if none runs.
    package func pid(ofPipeline name: String) -> Int32? { workers[name]?.current?.child.pid }

    /// Whether a pipeline's source delivers frames and all its detectors work.
    package func isOperational(_ name: String) -> Bool { workers[name]?.isOperational ?? false }

    package func isPaused(_ name: String) -> Bool { workers[name]?.machine.isPaused ?? false }

    /// Sets whether a pipeline on demand is needed. It is stopped in order when not needed, and started at once when
    /// needed.
    package func setNeeded(_ name: String, _ isNeeded: Bool) {
        eventLoop.preconditionInEventLoop()
        guard !isStopping, let worker = workers[name], worker.isNeeded != isNeeded else { return }
        worker.isNeeded = isNeeded
    }

    // MARK: Configuration

    /// Starts a new pipeline. Does nothing after `stop`.
    package func add(_ pipeline: WorkerPipeline) {
        eventLoop.preconditionInEventLoop()
        guard !isStopping, workers[pipeline.identity.name] == nil else { return }
        let worker = makeWorker(pipeline)
        workers[pipeline.identity.name] = worker
        worker.start()
    }

    /// Gives a pipeline a new configuration. A paused pipeline stays paused.
    ///
    /// - Returns: completes when a new worker runs.
    package func replace(_ pipeline: WorkerPipeline) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        return workers[pipeline.identity.name]?.replace(by: pipeline) ?? eventLoop.makeSucceededVoidFuture()
    }

    /// Gives a pipeline a configuration that a running worker can take over. If no worker runs, a new one is started.
    ///
    /// - Returns: completes when the worker has been sent the configuration, or a new worker runs.
    package func takeOver(_ pipeline: WorkerPipeline) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        if workers[pipeline.identity.name]?.takeOver(pipeline) == true { return eventLoop.makeSucceededVoidFuture() }
        return replace(pipeline)
    }

    /// Removes a pipeline permanently.
    ///
    /// - Returns: completes when its worker is gone and its tracks have ended.
    package func remove(_ name: String) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        guard let worker = workers[name] else { return eventLoop.makeSucceededVoidFuture() }
        let bound = NIOLoopBound((self, worker), eventLoop: eventLoop)
        return worker.stop(.reload).always { _ in
            let (workers, worker) = bound.value
            workers.workers[name] = nil
            workers.stream.record { $0.removePipeline(worker.index) }
        }
    }

    // MARK: Requests

    /// The worker that carries out the requests for a pipeline.
    ///
    /// - Throws: `Refusal` for an unknown pipeline.
    package func worker(_ name: String) throws(WorkerStateMachine.Refusal) -> Worker {
        eventLoop.preconditionInEventLoop()
        if let worker = workers[name] { return worker }
        throw .init(
            description: workers.isEmpty
                ? "no pipeline is enabled" : "unknown pipeline; the pipelines are: \(names.joined(separator: ", "))")
    }

    /// Sets whether a subscriber receives the lines of a pipeline's live search. Without one the search rests.
    package func setSearchAttended(_ name: String, _ isAttended: Bool) {
        eventLoop.preconditionInEventLoop()
        workers[name]?.isSearchAttended = isAttended
    }

    /// Sets the lines of a pipeline that subscribers request.
    package func setRequestedLines(_ name: String, _ lines: RequestedLines) {
        eventLoop.preconditionInEventLoop()
        workers[name]?.requestedLines = lines
    }

    /// Ends the back-off of a waiting pipeline, because its device may be available.
    package func retry(_ name: String) { workers[name]?.retry() }

    private func makeWorker(_ pipeline: WorkerPipeline) -> Worker {
        Worker(
            pipeline, limits: limits, launcher: launcher, stream: stream, reaper: reaper,
            resourceControl: resourceControl, eventLoop: eventLoop, logger: logger, pace: pace)
    }
}
