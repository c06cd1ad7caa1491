// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
import Glibc
import Logging
import NIOCore
import Observations
import LogSupport
import WorkerChannel

/// Keeps one pipeline's worker running. It carries out the actions of `WorkerStateMachine`, and records the worker's
/// events in the stream.
///
/// It belongs to the log's event loop.
package final class Worker: WorkerPipes.Receiver {
    /// The highest number of broken frames; a worker that writes more is replaced.
    private static let badFrameLimit = 100

    private(set) var pipeline: WorkerPipeline
    /// Whether the configuration differs from the one with which the worker was started.
    var isReconfigured = false
    let index: Int
    let launcher: WorkerLauncher
    let stream: EventStream
    let reaper: ChildReaper
    let resourceControl: WorkerResourceControl
    let eventLoop: any EventLoop
    let logger: Logger
    private let stopped: EventLoopPromise<Void>
    var machine: WorkerStateMachine
    var current: Process?
    var answers = PendingAnswers()
    var viewers = Viewers()
    /// The metrics of the processes that have ended.
    private(set) var totals = WorkerTotals()
    /// The path of the frames before the newest crash.
    private var crashFrames: String?
    private var settled: [EventLoopPromise<Void>] = []
    private var timer: Scheduled<Void>?
    /// Shared by all workers.
    let pace: StartPace
    /// A start whose turn has not come.
    var waitingStart: Scheduled<Void>?
    /// Whether the pipeline is needed; always true unless it runs on demand.
    var isNeeded: Bool {
        didSet { perform(isNeeded ? machine.needed(at: .now) : machine.unneeded(at: .now)) }
    }

    /// Whether a subscriber receives the lines of the pipeline's live search. Without one the search rests.
    var isSearchAttended = false {
        didSet { if isSearchAttended != oldValue { tellAttendance() } }
    }

    /// The lines of the pipeline that subscribers request.
    var requestedLines: RequestedLines = [] {
        didSet { if requestedLines != oldValue { send(.requestedLines(requestedLines)) } }
    }

    /// The state of one process.
    final class Process {
        let child: ChildProcess
        let pipes: WorkerPipes
        let epoch: UInt64
        var log: WorkerLog
        let since = ContinuousClock.now
        var meter = WorkerMeter()
        var use: ProcessUse?
        /// In bytes, as measured after the start.
        var sharedMemory: Int?
        /// The time at which the worker encoded the events that follow, in nanoseconds of the monotonic clock.
        var made: UInt64?
        var isReaped = false

        init(child: ChildProcess, pipes: WorkerPipes, epoch: UInt64, log: WorkerLog) {
            self.child = child
            self.pipes = pipes
            self.epoch = epoch
            self.log = log
        }
    }

    init(
        _ pipeline: WorkerPipeline, limits: WorkerStateMachine.Limits, launcher: WorkerLauncher, stream: EventStream,
        reaper: ChildReaper, resourceControl: WorkerResourceControl, eventLoop: any EventLoop, logger: Logger,
        pace: StartPace
    ) {
        self.resourceControl = resourceControl
        self.pace = pace
        self.pipeline = pipeline
        self.launcher = launcher
        self.stream = stream
        self.reaper = reaper
        self.eventLoop = eventLoop
        var logger = logger
        logger[metadataKey: "pipeline"] = "\(pipeline.identity.name)"
        self.logger = logger
        isNeeded = !pipeline.onDemand
        machine = WorkerStateMachine(limits: limits)
        stopped = eventLoop.makePromise()
        index = stream.record { $0.addPipeline(pipeline.identity, places: pipeline.places) }
    }

    func start() { perform(isNeeded ? machine.startRequested(at: .now) : machine.unneeded(at: .now)) }

    /// - Returns: completes when the worker is gone and its tracks have ended.
    func stop(_ reason: CompletionReason) -> EventLoopFuture<Void> {
        perform(machine.stopRequested(reason, at: .now))
        return stopped.futureResult
    }

    /// Sets the configuration of the next worker.
    func reconfigure(_ pipeline: WorkerPipeline) {
        self.pipeline = pipeline
        isReconfigured = true
    }

    /// - Returns: completes when all requests are carried out.
    func whenSettled() -> EventLoopFuture<Void> {
        guard !machine.isSettled else { return eventLoop.makeSucceededVoidFuture() }
        let promise = eventLoop.makePromise(of: Void.self)
        settled.append(promise)
        return promise.futureResult
    }

    func send(_ message: ToWorker) { current?.pipes.send(message) }

    /// Applies a configuration that the running worker can take over; later workers start with it.
    ///
    /// - Returns: false if no worker can take it over.
    func takeOver(_ pipeline: WorkerPipeline) -> Bool {
        guard current != nil, machine.isSettled, !isReconfigured else { return false }
        self.pipeline = pipeline
        send(.takeOver(pipeline.text))
        return true
    }

    // MARK: Facts

    func outputArrived(in decoder: inout WorkerFrameDecoder, epoch: UInt64) {
        guard current?.epoch == epoch else { return }
        while current?.epoch == epoch, let message = decoder.next(FromWorker.self) { handle(message) }
        if decoder.badFrames > Self.badFrameLimit {
            perform(machine.misbehaved("it sent more than \(Self.badFrameLimit) broken frames"))
        }
    }

    func outputPaused() { stream.publish() }

    func outputClosed(epoch: UInt64) {
        guard current?.epoch == epoch else { return }
        perform(machine.outputClosed(at: .now, jitter: .random(in: 0..<1)))
    }

    func errorsArrived(_ bytes: ByteBufferView, epoch: UInt64) {
        guard current?.epoch == epoch else { return }
        current?.log.append(bytes, at: .now)
    }

    func errorsClosed(epoch: UInt64) {
        guard current?.epoch == epoch else { return }
        current?.log.finish(at: .now)
    }

    private func handle(_ message: FromWorker) {
        switch message {
        case .event(let event):
            let isOfLog = event.kind.request.isEmpty
            let isTaken =
                isOfLog
                ? stream.record { $0.append(event, pipeline: index) } : stream.passOn(event, ofPipeline: index)
            if isTaken, isOfLog, let made = current?.made { stream.noteMade(at: made) }
            guard isTaken else {
                logger.warning("refused an invalid line of type \(event.kind.name) from the worker")
                return
            }
            if event.kind == .detector { tellOfDetector(event.detector) }
            guard event.kind == .source, let state = stream.log.sourceState(ofPipeline: index) else { return }
            logger.info("source \(state.rawValue)", metadata: [LoggedEvent.key: "\(LoggedEvent.sourceState.rawValue)"])
            machine.sourceReported(state)
        case .heartbeat(let metrics):
            current?.meter.record(metrics, at: .now)
            machine.heartbeatArrived(at: .now)
            let limits = StallLimits(
                lane: machine.limits.stall, source: pipeline.sourceSilence + machine.limits.stall)
            if let fault = limits.fault(in: metrics) { return perform(machine.misbehaved(fault)) }
            schedule()
        case .made(let time): current?.made = time
        case .answer(let number, let error): answers.take(number)?.succeed(error)
        }
    }

    // MARK: Effects

    func perform(_ actions: [WorkerStateMachine.Action]) {
        for action in actions {
            switch action {
            case .spawn(let epoch): spawnInTurn(epoch)
            case .ask where waitingStart != nil: giveUpStart()
            case .ask(let reason): send(.stop(reason))
            case .terminate: signal(SIGTERM)
            case .kill(let fault):
                // A worker that has reported its loss gives no event for this.
                if let fault { logger.warning("the worker is killed: \(fault)") }
                signal(SIGKILL)
            case .cleanUp(let reason): cleanUp(reason, isCrash: actions.contains(where: \.tellsOfCrash))
            case .report(let state, let attempt, let retry, let error): report(state, attempt, retry, error)
            case .reportRest: report(.paused, reason: "on_demand")
            case .finish: stopped.succeed()
            }
        }
        stream.publish()
        schedule()
        guard machine.isSettled, !settled.isEmpty else { return }
        let promises = settled
        settled.removeAll()
        for promise in promises { promise.succeed() }
    }

    func tellAttendance() {
        if pipeline.hasSearch { send(.search(.attend(isSearchAttended))) }
    }

    /// Signals the process unless it was reaped; its id may belong to another process then.
    private func signal(_ number: CInt) {
        guard let current, !current.isReaped else { return }
        current.child.signal(number)
    }

    private func cleanUp(_ reason: CompletionReason, isCrash: Bool) {
        current?.log.finish(at: .now)
        current?.pipes.close()
        for close in viewers.takeAll() { close() }
        if let current { close(current.child.viewers) }
        if let current { totals.add(current, detectors: pipeline.detectors) }
        current = nil
        pace.giveBack()
        resourceControl.release(pipeline.identity.name)
        for answer in answers.takeAll() { answer.succeed("its worker ended before it answered") }
        crashFrames = isCrash ? pipeline.crashFrames?.keep(at: Int(time(nil))) : nil
        if !isCrash { pipeline.crashFrames?.discard() }
        stream.record { $0.completeTracks(ofPipeline: index, reason: reason) }
    }

    private func report(
        _ state: SourceEvent.State, _ attempt: Int? = nil, _ retry: Duration? = nil, _ error: String? = nil,
        reason: String? = nil
    ) {
        let milliseconds = retry.map { Int($0 / .milliseconds(1)) }
        var error = error
        if state == .lost, let crashFrames { error?.append("; its last frames are in \(crashFrames)") }
        let event = SourceEvent(
            state: state, time: Moment.now.time, clock: .arrival, attempt: attempt, retryMilliseconds: milliseconds,
            error: error, reason: reason)
        stream.record { $0.append(event, pipeline: index) }
        let wait = milliseconds.map { ", next attempt in \($0) ms" } ?? ""
        logger.log(
            level: reason == nil ? .warning : .info,
            "source \(state.rawValue)\((error ?? reason).map { ": \($0)" } ?? "")\(wait)",
            metadata: [LoggedEvent.key: "\(LoggedEvent.sourceState.rawValue)"])
    }

    private func tellOfDetector(_ name: String) {
        let detectors = stream.log.ledger(ofPipeline: index).detectors
        guard let report = detectors.first(where: { $0.name == name }) else { return }
        logger.log(
            level: report.isOperational ? .info : .warning,
            report.isOperational ? "the detector is operational" : "the detector is not operational",
            metadata: ["detector": "\(name)", LoggedEvent.key: "\(LoggedEvent.detectorState.rawValue)"])
    }

    private func schedule() {
        timer?.cancel()
        timer = nil
        guard let deadline = machine.nextDeadline else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleTask(in: TimeAmount(deadline - .now)) {
            bound.value.perform(bound.value.machine.timePassed(at: .now, jitter: .random(in: 0..<1)))
        }
    }
}

extension WorkerStateMachine.Action {
    /// Whether the action reports a loss that the worker did not report itself.
    fileprivate var tellsOfCrash: Bool {
        if case .report(.lost, _, _, _) = self { true } else { false }
    }
}
