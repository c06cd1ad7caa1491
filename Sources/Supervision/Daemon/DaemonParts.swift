// SPDX-License-Identifier: Apache-2.0
import ControlSocket
import DiskJournal
import Dispatch
import EventLog
import EventSocket
import Glibc
import Logging
import NIOCore
import Sandbox
import ServiceManager
import Settings
import LogSupport
import UnixSocket
import Workers

/// The log, the sockets, the workers and the reloader: created, connected and ended together. It belongs to one event
/// loop.
final class DaemonParts {
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let workers: Workers
    private let stream: EventStream
    private let journal: DiskJournal?
    private let events: EventSocket
    private let control: ControlSocket
    private let reloader: Reloader
    private let demand: Demand
    private let hangUps: any DispatchSourceSignal
    private let sweep: PictureSweep
    private var watch: FolderWatch?
    private var deviceWatch: FolderWatch?
    private var reporter: ServiceReporter?

    /// Opens the sockets.
    ///
    /// - Parameters:
    ///   - file: the path of the configuration as given by the user; nil for the default.
    ///   - launcher: starts the workers.
    ///   - loopTicks: those of the event loop.
    /// - Throws: `SocketError`.
    init(
        _ configuration: Configuration, file: String?, launcher: WorkerLauncher, server: String,
        eventLoop: any EventLoop, loopTicks: LoopTicks,
        logger: Logger
    ) throws(SocketError) {
        self.eventLoop = eventLoop
        self.logger = logger
        let (settings, started) = (configuration.daemon, ContinuousClock.now)
        let (journal, log) = EventLog.begin(settings, logger)
        let stream = EventStream(log: log)
        var sockets = PassedSockets.take()
        for warning in sockets.warnings { logger.warning("\(warning)") }
        // The journal records sequence numbers before any subscriber receives them, so it is attached first.
        if let journal { stream.attach(journal) }
        let (readers, readerWarnings) = PeerPolicy.make(settings.events)
        let events = try EventSocket(
            configuration: .init(
                settings.events, readers, server: server, archive: journal, passed: sockets.take("events")),
            stream: stream,
            eventLoop: eventLoop, loopTicks: loopTicks, logger: logger)
        let workers = Workers(
            configuration.workers, limits: .init(settings), resources: .init(settings.workers), launcher: launcher,
            stream: stream, eventLoop: eventLoop, logger: logger)
        let adoption = Adoption()
        let reloader = Reloader(
            configuration, file: file, workers: workers, stream: stream, eventLoop: eventLoop, logger: logger,
            adopt: { adoption.parts?.adopt($0) })
        let demand = Demand(configuration, workers: workers, events: events, eventLoop: eventLoop)
        let forgetting = Forgetting(
            folder: settings.daemon.stateDirectory, journal: journal, stream: stream, eventLoop: eventLoop,
            logger: logger)
        let history = HistoryReading(
            folder: settings.daemon.stateDirectory, isKept: journal != nil, eventLoop: eventLoop)
        let controller = Controller(
            workers: workers, reloader: reloader, demand: demand, eventLoop: eventLoop, history: history,
            knownPicture: { stream.log.picture(runID: $0.runID, sequence: $0.sequence) },
            forget: forgetting.forget,
            about: {
                DaemonStatus(
                    server: server, runID: log.runID, process: getpid(), age: .now - started,
                    file: file ?? ConfigurationCheck.defaultFile, revision: reloader.revision,
                    needsRestart: reloader.needsRestart, nextSequence: stream.log.journal.nextSequence,
                    subscribers: events.subscribers, sandbox: reloader.configuration.sandbox, journal: journal?.status)
            },
            metrics: {
                DaemonMetrics(
                    server: server, pipelines: workers.readings, subscribers: events.metrics, log: stream.log,
                    journal: journal?.status)
            })
        let (policy, warnings) = PeerPolicy.make(settings.control)
        var served = ControlSocket.Configuration(
            path: settings.control.socket, mode: settings.control.mode, group: settings.control.group, policy: policy)
        served.passed = sockets.take("control")
        control = try ControlSocket(
            configuration: served, eventLoop: eventLoop, logger: logger, handler: controller.fulfil)
        for name in sockets.left {
            logger.warning(
                "the service manager passed an unknown socket \(name); the known sockets are events and control")
        }
        (self.events, self.workers, self.reloader) = (events, workers, reloader)
        (self.stream, self.journal) = (stream, journal)
        self.demand = demand
        sweep = PictureSweep(configuration, eventLoop: eventLoop, logger: logger)
        events.interestChanged = { [weak demand] in demand?.update() }
        signal(SIGHUP, SIG_IGN)
        hangUps = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "glimpsed.hangup"))
        adoption.parts = self
        let lacking = configuration.sandbox?.missing ?? []
        for warning in readerWarnings + warnings + lacking { logger.warning("\(warning)") }
        logger.info(
            "serving events on \(settings.events.socket)",
            metadata: ["run_id": "\(log.runID)", LoggedEvent.key: "\(LoggedEvent.serving.rawValue)"])
        logger.info("serving commands on \(settings.control.socket)")
    }

    func start() {
        follow()
        makeFolders(reloader.configuration)
        workers.start()
        sweep.start()
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        hangUps.setEventHandler { [eventLoop] in eventLoop.execute { bound.value.reload(because: "SIGHUP") } }
        hangUps.activate()
        watchFiles(reloader.configuration)
        watchDevices()
        reporter = ServiceReporter(watchdog: Watchdog.takeLimit(), socket: NotifySocket(), eventLoop: eventLoop) {
            bound.value.summary
        }
        reloader.began = { bound.value.reporter?.reloadBegan() }
        reloader.ended = { bound.value.reporter?.reloadEnded() }
    }

    /// - Returns: completes when the workers have ended and every subscriber has its remaining events, within
    ///   `stop_limit`.
    func stop() -> EventLoopFuture<Void> {
        reporter?.stopping()
        sweep.stop()
        hangUps.cancel()
        (watch, deviceWatch) = (nil, nil)
        control.stop()
        events.leaveConnectionsToCome()
        reloader.stop()
        demand.stop()
        // The workers get four fifths of the time.
        let limit = TimeAmount(reloader.configuration.daemon.daemon.stopLimit * 0.2)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        return workers.stop(.shutdown).flatMap {
            // The journal records the last lines before the subscribers receive them.
            bound.value.stream.publish()
            return bound.value.events.stop(within: limit)
        }.map { bound.value.journal?.close() }
    }

    /// Connects the journal on disk and the log: the journal stores new events, and the log learns the contents on
    /// disk. Ends the tracks that an earlier daemon left live.
    private func follow() {
        guard let journal else { return }
        let bound = NIOLoopBound(stream, eventLoop: eventLoop)
        journal.begin(stream.log) { [eventLoop] archive in
            eventLoop.execute { bound.value.record { $0.archive = archive } }
        }
        stream.record { $0.completeOrphans() }
        stream.publish()
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

    /// Applies the parts of a new configuration that lie outside the workers.
    private func adopt(_ configuration: Configuration) {
        makeFolders(configuration)
        workers.limits = .init(configuration.daemon)
        workers.resources = .init(configuration.daemon.workers)
        let (policy, warnings) = PeerPolicy.make(configuration.daemon.control)
        let (readers, readerWarnings) = PeerPolicy.make(configuration.daemon.events)
        for warning in readerWarnings + warnings { logger.warning("\(warning)") }
        control.allow(policy)
        demand.configure(configuration)
        sweep.configure(configuration)
        events.allow(readers, maximumPerUser: configuration.daemon.events.maxPerUser)
        watchFiles(configuration)
        watchDevices()
    }

    /// Creates the folders in which workers write.
    private func makeFolders(_ configuration: Configuration) {
        if let folder = configuration.crashFolder, let problem = StateFolder.make(folder, mode: 0o700) {
            logger.warning("workers.crash_dump: \(problem)")
        }
        // A snapshot command reports its own error, so the warning is for automatic pictures only.
        if let folder = configuration.snapshotsFolder, let problem = StateFolder.make(folder, mode: 0o750),
            configuration.keepsPictures
        {
            logger.warning("snapshots: \(problem)")
        }
        makeClipsFolder(configuration)
    }

    /// Creates the folder of clips if a pipeline writes clips.
    private func makeClipsFolder(_ configuration: Configuration) {
        guard configuration.pipelines.values.contains(where: { $0.settings.clip != nil }),
            let folder = configuration.clipsFolder, let problem = StateFolder.make(folder, mode: 0o750)
        else { return }
        logger.warning("clips: \(problem)")
    }

    /// Watches the folders of camera devices, so that a newly plugged camera is tried at once.
    private func watchDevices() {
        let devices = reloader.configuration.devices
        deviceWatch = nil
        guard !devices.isEmpty else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        deviceWatch = FolderWatch(DeviceFolders.watched(for: devices.map(\.path)), for: .devices) { [eventLoop] in
            eventLoop.execute { bound.value.devicesChanged() }
        }
        if deviceWatch == nil { logger.warning("cannot watch for newly connected cameras") }
    }

    private func devicesChanged() {
        for (pipeline, path) in reloader.configuration.devices where access(path, R_OK | W_OK) == 0 {
            workers.retry(pipeline)
        }
        // A folder such as /dev/v4l/by-id appears and disappears with its cameras.
        watchDevices()
    }

    private func watchFiles(_ configuration: Configuration) {
        watch = nil
        guard configuration.daemon.daemon.watchFiles else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        watch = FolderWatch(reloader.folders, for: .files) { [eventLoop] in
            eventLoop.execute { bound.value.reload(because: "a file has changed") }
        }
        if watch == nil { logger.warning("cannot watch \(reloader.folders.sorted().joined(separator: ", "))") }
    }

    /// A reference to the parts for closures that are created before the parts.
    private final class Adoption {
        weak var parts: DaemonParts?
    }
}

extension PeerPolicy {
    fileprivate static func make(_ settings: DaemonSettings.Control) -> (policy: PeerPolicy, warnings: [String]) {
        make(userNames: settings.allowUsers, groupNames: settings.allowGroups)
    }

    /// Without lists, every process that can connect may subscribe.
    fileprivate static func make(_ settings: DaemonSettings.Events) -> (policy: PeerPolicy, warnings: [String]) {
        guard !settings.allowUsers.isEmpty || !settings.allowGroups.isEmpty else { return (.everybody, []) }
        return make(.events, userNames: settings.allowUsers, groupNames: settings.allowGroups)
    }
}

extension EventLog {
    /// The daemon's log. With a journal on disk, the log continues the stored run.
    fileprivate static func begin(_ settings: DaemonSettings, _ logger: Logger) -> (DiskJournal?, EventLog) {
        let limits = Journal.Limits(events: settings.events.journalEvents, bytes: settings.events.journalBytes)
        guard let bytes = settings.retention.events.size else { return (nil, EventLog(limits: limits)) }
        if let problem = StateFolder.make(settings.daemon.stateDirectory, mode: 0o755) {
            logger.warning("cannot create the state folder: \(problem)")
        }
        var run: RunState?
        let journal = DiskJournal(
            folder: settings.daemon.stateDirectory,
            limits: .init(settings.retention, bytes: bytes),
            sync: settings.events.journalSync, logger: logger, opened: &run)
        return (journal, run.map { EventLog(goingOnWith: $0, limits: limits) } ?? EventLog(limits: limits))
    }
}

extension JournalLimits {
    /// - Parameter bytes: the size limit.
    package init(_ settings: RetentionSettings, bytes: Int) {
        self.init(
            bytes: bytes, eventAge: settings.events.age.components.seconds,
            trackAge: settings.history.components.seconds)
    }
}

extension EventSocket.Configuration {
    fileprivate init(
        _ settings: DaemonSettings.Events, _ policy: PeerPolicy, server: String, archive: (any ArchiveReader)?,
        passed: CInt?
    ) {
        self.init(
            path: settings.socket, mode: settings.mode, group: settings.group, policy: policy,
            maximumPerUser: settings.maxPerUser, maximumSubscribers: settings.maxSubscribers,
            limits: .init(queue: settings.queue, stall: settings.stallLimit, heartbeat: settings.heartbeat),
            server: server, archive: archive)
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
    /// The last fifth of `stop_limit` is reserved for the subscribers.
    fileprivate init(_ settings: DaemonSettings) {
        let backoff = settings.workers.restartBackoff
        self.init(
            stop: settings.daemon.stopLimit * 0.8, backoff: backoff.initial...backoff.limit,
            crashes: settings.workers.crashLimit, crashWindow: settings.workers.crashWindow)
        stall = settings.workers.stallLimit
        heartbeat = min(heartbeat, stall)
    }
}

extension WorkerResources {
    fileprivate init(_ settings: DaemonSettings.Workers) {
        self.init()
        (memory, threads, nice) = (settings.memoryLimit, settings.threadLimit, settings.nice)
        (cpuWeight, cpuLimit) = (settings.cpuWeight, settings.cpuLimit)
    }
}
