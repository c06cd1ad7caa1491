import Events
import Logging
import NIOCore
import Observations

/// A worker process for each pipeline: started, watched, restarted with back-off, stopped.
///
/// Lives on one event loop, the log's: call everything there.
package final class Workers {
    private let workers: [String: Worker]
    private let reaper: ChildReaper
    private let eventLoop: any EventLoop

    /// - Parameter executable: path of the worker program, as `WorkerExecutable.find` gives it.
    package init(
        _ pipelines: [WorkerPipeline], limits: WorkerStateMachine.Limits, executable: String, stream: EventStream,
        eventLoop: any EventLoop, logger: Logger
    ) {
        eventLoop.preconditionInEventLoop()
        self.eventLoop = eventLoop
        let reaper = ChildReaper(eventLoop: eventLoop)
        self.reaper = reaper
        var workers: [String: Worker] = [:]
        for pipeline in pipelines {
            workers[pipeline.identity.name] = Worker(
                pipeline, limits: limits, executable: executable, stream: stream, reaper: reaper,
                eventLoop: eventLoop, logger: logger)
        }
        self.workers = workers
    }

    package func start() {
        for worker in workers.values { worker.start() }
    }

    /// Asks all workers to stop, all at once, and less and less politely.
    ///
    /// - Returns: done when every worker is gone, or given up, and all their tracks have ended; within the stop limit.
    package func stop(_ reason: CompletionReason) -> EventLoopFuture<Void> {
        let bound = NIOLoopBound(reaper, eventLoop: eventLoop)
        return EventLoopFuture.andAllComplete(workers.values.map { $0.stop(reason) }, on: eventLoop)
            .always { _ in bound.value.close() }
    }

    /// The process id of a pipeline's worker; nil while it has none.
    package func pid(ofPipeline name: String) -> Int32? { workers[name]?.pid }
}
