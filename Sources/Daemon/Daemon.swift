import EventSocket
import Events
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Settings
import Workers

/// `glimpsed run`: composes the log, the socket and the workers on one event loop, and ends them in order.
package struct Daemon: Sendable {
    private let settings: DaemonSettings
    private let pipelines: [WorkerPipeline]
    private let pipelinesFolder: String
    private let server: String
    private let logger: Logger

    /// - Parameter server: name and version, as `hello` gives it.
    /// - Throws: `DaemonError.configuration` with every problem.
    package init(_ configuration: ConfigurationCheck, server: String, logger: Logger) throws(DaemonError) {
        guard configuration.problems.isEmpty else { throw .configuration(configuration.problems) }
        settings = configuration.daemon
        pipelinesFolder = configuration.pipelinesFolder
        pipelines = try WorkerPipeline.load(configuration)
        self.server = server
        self.logger = logger
    }

    /// Serves until SIGTERM or SIGINT, then ends every track, gives the subscribers what is left, and returns within `stop_limit`.
    ///
    /// - Throws: `DaemonError` when it cannot start.
    package func run() async throws {
        OpenFiles.raiseLimit()
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let service = DaemonService(eventLoop: threads.next(), stopLimit: settings.daemon.stopLimit, open: open)
        // Signals are trapped before the service starts: from the first moment on, an end is an orderly one.
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
        do {
            try await group.run()
        } catch {
            try? await threads.shutdownGracefully()
            throw error
        }
        try await threads.shutdownGracefully()
        logger.info("stopped")
    }

    private func open(on loop: any EventLoop) throws -> (EventSocket, Workers) {
        let executable = try findWorker()
        let log = EventLog(limits: .init(events: settings.events.journalEvents, bytes: settings.events.journalBytes))
        let stream = EventStream(log: log)
        let socket: EventSocket
        do throws(EventSocketError) {
            socket = try EventSocket(
                configuration: .init(settings.events, server: server), stream: stream, eventLoop: loop, logger: logger)
        } catch {
            throw DaemonError.socket(error)
        }
        logger.info("serving events on \(settings.events.socket)", metadata: ["run_id": "\(log.runID)"])
        let workers = Workers(
            pipelines, limits: .init(settings), executable: executable, stream: stream, eventLoop: loop, logger: logger)
        return (socket, workers)
    }

    /// Without pipelines there is nothing to run, and the daemon says what to do and serves.
    private func findWorker() throws(DaemonError) -> String {
        guard !pipelines.isEmpty else {
            logger.notice(
                "no pipelines in \(pipelinesFolder): put a NAME.toml with a [source] and a [face] or [barcode] there, and start again"
            )
            return WorkerExecutable.name
        }
        do throws(WorkersError) {
            return try WorkerExecutable.find()
        } catch {
            throw .workers(error)
        }
    }
}

extension EventSocket.Configuration {
    fileprivate init(_ settings: DaemonSettings.Events, server: String) {
        self.init(
            path: settings.socket, mode: settings.mode, group: settings.group,
            maximumSubscribers: settings.maxSubscribers,
            limits: .init(queue: settings.queue, stall: settings.stallLimit, heartbeat: settings.heartbeat),
            server: server)
    }
}

extension WorkerStateMachine.Limits {
    /// The last fifth of `stop_limit` is for the subscribers.
    fileprivate init(_ settings: DaemonSettings) {
        let backoff = settings.workers.restartBackoff
        self.init(
            stop: settings.daemon.stopLimit * 0.8, backoff: backoff.initial...backoff.limit,
            crashes: settings.workers.crashLimit, crashWindow: settings.workers.crashWindow)
    }
}
