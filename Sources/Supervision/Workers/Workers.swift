import EventLog
import Logging
import NIOCore
import Observations
import Search
import WorkerChannel

/// A worker process for each pipeline: started, watched, restarted with back-off, stopped.
///
/// Lives on one event loop, the log's: call everything there.
package final class Workers {
    /// How often it is looked at what the workers have.
    private static let measureInterval = TimeAmount.seconds(1)

    private var workers: [String: Worker] = [:]
    private let reaper: ChildReaper
    private let resourceControl: WorkerResourceControl
    private let executable: String
    private let stream: EventStream
    private let eventLoop: any EventLoop
    private let logger: Logger
    private var measurement: RepeatedTask?
    private var isStopping = false
    /// May change at any time.
    package var limits: WorkerStateMachine.Limits {
        didSet { for worker in workers.values { worker.machine.limits = limits } }
    }

    /// What a worker may take of the machine. May change at any time; what a process is started with stays as it is.
    package var resources: WorkerResources {
        get { resourceControl.resources }
        set { resourceControl.resources = newValue }
    }

    /// - Parameter executable: path of the worker program, as `WorkerExecutable.find` gives it.
    package init(
        _ pipelines: [WorkerPipeline], limits: WorkerStateMachine.Limits,
        resources: WorkerResources = WorkerResources(), executable: String, stream: EventStream,
        eventLoop: any EventLoop, logger: Logger
    ) {
        resourceControl = WorkerResourceControl(resources, logger: logger)
        eventLoop.preconditionInEventLoop()
        self.eventLoop = eventLoop
        self.limits = limits
        self.executable = executable
        self.stream = stream
        self.logger = logger
        reaper = ChildReaper(eventLoop: eventLoop)
        for pipeline in pipelines { workers[pipeline.identity.name] = makeWorker(pipeline) }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        measurement = eventLoop.scheduleRepeatedTask(
            initialDelay: Self.measureInterval, delay: Self.measureInterval
        ) { _ in
            for worker in bound.value.workers.values { worker.measure() }
        }
    }

    package func start() {
        eventLoop.preconditionInEventLoop()
        for worker in workers.values { worker.start() }
    }

    /// Asks all workers to stop, all at once, and less and less politely.
    ///
    /// - Returns: done when every worker is gone, or given up, and all their tracks have ended; within the stop limit.
    package func stop(_ reason: CompletionReason) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        isStopping = true
        measurement?.cancel()
        let bound = NIOLoopBound(reaper, eventLoop: eventLoop)
        return EventLoopFuture.andAllComplete(workers.values.map { $0.stop(reason) }, on: eventLoop)
            .always { _ in bound.value.close() }
    }

    /// By name.
    package var names: [String] { workers.keys.sorted() }

    /// - Returns: nil when there is no such pipeline.
    package func status(ofPipeline name: String) -> WorkerStatus? { workers[name]?.status }

    /// The process id of a pipeline's worker; nil while it has none.
    package func pid(ofPipeline name: String) -> Int32? { workers[name]?.current?.child.pid }

    /// Whether a pipeline's source gives frames and all its detectors work.
    package func isOperational(_ name: String) -> Bool { workers[name]?.isOperational ?? false }

    package func isPaused(_ name: String) -> Bool { workers[name]?.machine.isPaused ?? false }

    /// Tells whether there is somebody for whom a pipeline on demand runs. Without one it is ended in order; with one it is there at once.
    package func setNeeded(_ name: String, _ isNeeded: Bool) {
        eventLoop.preconditionInEventLoop()
        guard !isStopping, let worker = workers[name], worker.isNeeded != isNeeded else { return }
        worker.isNeeded = isNeeded
    }

    // MARK: Configuration

    /// Starts a pipeline that is new. Does nothing once all are to stop.
    package func add(_ pipeline: WorkerPipeline) {
        eventLoop.preconditionInEventLoop()
        guard !isStopping, workers[pipeline.identity.name] == nil else { return }
        let worker = makeWorker(pipeline)
        workers[pipeline.identity.name] = worker
        worker.start()
    }

    /// Gives a pipeline another configuration; what is paused stays paused.
    ///
    /// - Returns: done when the worker is another one.
    package func replace(_ pipeline: WorkerPipeline) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        return workers[pipeline.identity.name]?.replace(by: pipeline) ?? eventLoop.makeSucceededVoidFuture()
    }

    /// Gives a pipeline another configuration that a worker which runs can go on with. Where none runs, another is started.
    ///
    /// - Returns: done when it is told, or the worker is another one.
    package func takeOver(_ pipeline: WorkerPipeline) -> EventLoopFuture<Void> {
        eventLoop.preconditionInEventLoop()
        if workers[pipeline.identity.name]?.takeOver(pipeline) == true { return eventLoop.makeSucceededVoidFuture() }
        return replace(pipeline)
    }

    /// Ends a pipeline for good.
    ///
    /// - Returns: done when its worker is gone and its tracks have ended.
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

    /// The worker that carries out what people ask of a pipeline.
    ///
    /// - Throws: `Refusal` when there is no such pipeline.
    package func worker(_ name: String) throws(WorkerStateMachine.Refusal) -> Worker {
        eventLoop.preconditionInEventLoop()
        if let worker = workers[name] { return worker }
        throw .init(
            description: workers.isEmpty
                ? "there is no pipeline that runs" : "there is none; the pipelines: \(names.joined(separator: ", "))")
    }

    /// Tells whether somebody attends to a pipeline's live search; without, it rests.
    package func setSearchAttended(_ name: String, _ isAttended: Bool) {
        eventLoop.preconditionInEventLoop()
        workers[name]?.isSearchAttended = isAttended
    }

    /// Tells whether somebody wants a line for each frame that a pipeline's detectors process.
    package func setFramesWanted(_ name: String, _ areWanted: Bool) {
        eventLoop.preconditionInEventLoop()
        workers[name]?.areFramesWanted = areWanted
    }

    /// What a pipeline waits for may be there now: if it waits for its next try, that is now.
    package func retry(_ name: String) { workers[name]?.retry() }

    private func makeWorker(_ pipeline: WorkerPipeline) -> Worker {
        Worker(
            pipeline, limits: limits, executable: executable, stream: stream, reaper: reaper,
            resourceControl: resourceControl, eventLoop: eventLoop, logger: logger)
    }
}
