import ControlSocket
import Dispatch
import EventSocket
import Events
import Glibc
import Logging
import NIOCore
import ServiceManager
import Settings
import UnixSocket
import Workers

/// The log, the sockets, the workers and what reloads them: made, joined and ended together. Lives on one event loop.
final class DaemonParts {
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let workers: Workers
    private let events: EventSocket
    private let control: ControlSocket
    private let reloader: Reloader
    private let hangUps: any DispatchSourceSignal
    private var watch: FileWatch?
    private var reporter: ServiceReporter?

    /// Opens the sockets.
    ///
    /// - Parameters:
    ///   - file: the configuration's, as it was given; nil for the default.
    ///   - executable: the worker program's path.
    /// - Throws: `SocketError`.
    init(
        _ configuration: Configuration, file: String?, executable: String, server: String, eventLoop: any EventLoop,
        logger: Logger
    ) throws(SocketError) {
        self.eventLoop = eventLoop
        self.logger = logger
        let (settings, started) = (configuration.daemon, ContinuousClock.now)
        let log = EventLog(limits: .init(events: settings.events.journalEvents, bytes: settings.events.journalBytes))
        let stream = EventStream(log: log)
        var sockets = PassedSockets.take()
        for warning in sockets.warnings { logger.warning("\(warning)") }
        let events = try EventSocket(
            configuration: .init(settings.events, server: server, passed: sockets.take("events")), stream: stream,
            eventLoop: eventLoop, logger: logger)
        let workers = Workers(
            configuration.workers, limits: .init(settings), executable: executable, stream: stream,
            eventLoop: eventLoop, logger: logger)
        let adoption = Adoption()
        let reloader = Reloader(
            configuration, file: file, workers: workers, stream: stream, eventLoop: eventLoop, logger: logger,
            adopt: { adoption.parts?.adopt($0) })
        let controller = Controller(workers: workers, reloader: reloader, eventLoop: eventLoop) {
            DaemonStatus(
                server: server, runID: log.runID, process: getpid(), age: .now - started,
                file: file ?? ConfigurationCheck.defaultFile, revision: reloader.revision,
                needsRestart: reloader.needsRestart, nextSequence: stream.log.journal.nextSequence,
                subscribers: events.subscribers)
        }
        let (policy, warnings) = PeerPolicy.make(settings.control)
        var served = ControlSocket.Configuration(
            path: settings.control.socket, mode: settings.control.mode, group: settings.control.group, policy: policy)
        served.passed = sockets.take("control")
        control = try ControlSocket(
            configuration: served, eventLoop: eventLoop, logger: logger, handler: controller.fulfil)
        for name in sockets.left {
            logger.warning("the service manager passed a socket \(name): only events and control are known")
        }
        (self.events, self.workers, self.reloader) = (events, workers, reloader)
        signal(SIGHUP, SIG_IGN)
        hangUps = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "glimpsed.hangup"))
        adoption.parts = self
        for warning in warnings { logger.warning("\(warning)") }
        logger.info("serving events on \(settings.events.socket)", metadata: ["run_id": "\(log.runID)"])
        logger.info("serving commands on \(settings.control.socket)")
    }

    func start() {
        workers.start()
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        hangUps.setEventHandler { [eventLoop] in eventLoop.execute { bound.value.reload(because: "SIGHUP") } }
        hangUps.activate()
        watchFiles(reloader.configuration)
        reporter = ServiceReporter(watchdog: Watchdog.takeLimit(), socket: NotifySocket(), eventLoop: eventLoop) {
            bound.value.summary
        }
        reloader.began = { bound.value.reporter?.reloadBegan() }
        reloader.ended = { bound.value.reporter?.reloadEnded() }
    }

    /// - Returns: done when the workers have ended and every subscriber has the rest, within `stop_limit`.
    func stop() -> EventLoopFuture<Void> {
        reporter?.stopping()
        hangUps.cancel()
        watch = nil
        control.stop()
        reloader.stop()
        // The workers have four fifths of the time.
        let limit = TimeAmount(reloader.configuration.daemon.daemon.stopLimit * 0.2)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        return workers.stop(.shutdown).flatMap { bound.value.events.stop(within: limit) }
    }

    private var summary: ServiceSummary {
        ServiceSummary(
            pipelines: workers.names.compactMap { workers.status(ofPipeline: $0).map(ServiceSummary.Pipeline.init) },
            subscribers: events.subscribers)
    }

    // MARK: Reload

    private func reload(because reason: String) {
        logger.info("reload: \(reason)")
        _ = reloader.reload()
    }

    /// A new configuration is in force: what it changes outside of the workers.
    private func adopt(_ configuration: Configuration) {
        workers.limits = .init(configuration.daemon)
        let (policy, warnings) = PeerPolicy.make(configuration.daemon.control)
        for warning in warnings { logger.warning("\(warning)") }
        control.allow(policy)
        watchFiles(configuration)
    }

    private func watchFiles(_ configuration: Configuration) {
        watch = nil
        guard configuration.daemon.daemon.watchFiles else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        watch = FileWatch(reloader.folders) { [eventLoop] in
            eventLoop.execute { bound.value.reload(because: "a file has changed") }
        }
        if watch == nil { logger.warning("cannot watch \(reloader.folders.sorted().joined(separator: ", "))") }
    }

    /// The parts, for what is made before them.
    private final class Adoption {
        weak var parts: DaemonParts?
    }
}

extension PeerPolicy {
    fileprivate static func make(_ settings: DaemonSettings.Control) -> (policy: PeerPolicy, warnings: [String]) {
        make(userNames: settings.allowUsers, groupNames: settings.allowGroups)
    }
}

extension EventSocket.Configuration {
    fileprivate init(_ settings: DaemonSettings.Events, server: String, passed: CInt?) {
        self.init(
            path: settings.socket, mode: settings.mode, group: settings.group,
            maximumSubscribers: settings.maxSubscribers,
            limits: .init(queue: settings.queue, stall: settings.stallLimit, heartbeat: settings.heartbeat),
            server: server)
        self.passed = passed
    }
}

extension ServiceSummary.Pipeline {
    fileprivate init(_ status: WorkerStatus) {
        self.init(
            name: status.ledger.identity.name, state: status.ledger.state,
            failedDetectors: status.ledger.detectors.filter { !$0.isOperational }.map(\.name),
            error: status.ledger.lastErrorText)
    }
}

extension WorkerStateMachine.Limits {
    /// The last fifth of `stop_limit` is for the subscribers.
    fileprivate init(_ settings: DaemonSettings) {
        let backoff = settings.workers.restartBackoff
        self.init(
            stop: settings.daemon.stopLimit * 0.8, backoff: backoff.initial...backoff.limit,
            crashes: settings.workers.crashLimit, crashWindow: settings.workers.crashWindow,
            memory: settings.workers.memoryLimit)
        stall = settings.workers.stallLimit
        heartbeat = min(heartbeat, stall)
    }
}
