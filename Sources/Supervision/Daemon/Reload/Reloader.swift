// SPDX-License-Identifier: Apache-2.0
import Dispatch
import EventLines
import EventLog
import Logging
import NIOCore
import Settings
import LogSupport
import Workers

/// Brings new configurations into force, one after the other, each completely or not at all.
///
/// It belongs to one event loop; files are read and checked on another queue.
final class Reloader {
    enum Outcome: Sendable {
        /// The old configuration stays in force, completely.
        case refused([ConfigurationError])
        /// The changes carried out, or with a dry run the changes found.
        case planned(ConfigurationPlan, revision: UInt64)
    }

    private static let trialInterval = TimeAmount.milliseconds(100)

    private(set) var configuration: Configuration
    /// The number of configurations that have been in force.
    private(set) var revision: UInt64 = 1
    /// Keys whose value in the file differs from the value in force.
    private(set) var needsRestart: [String] = []
    private let file: String?
    private let workers: Workers
    private let stream: EventStream
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let queue = DispatchQueue(label: "glimpsed.reload")
    /// Applies changes of the daemon's own settings outside the workers.
    private let adopt: (Configuration) -> Void
    private var last: EventLoopFuture<Void>
    private var trials = Trials()
    private var trialTask: RepeatedTask?
    private var isStopping = false
    /// Called before and after every reload except a dry run, whatever its result.
    var began: () -> Void = {}
    var ended: () -> Void = {}

    /// - Parameters:
    ///   - file: the path of the configuration as given by the user; nil for the default.
    ///   - adopt: called on the event loop with every configuration that comes into force from now on.
    init(
        _ configuration: Configuration, file: String?, workers: Workers, stream: EventStream, eventLoop: any EventLoop,
        logger: Logger, adopt: @escaping (Configuration) -> Void
    ) {
        self.configuration = configuration
        self.file = file
        self.workers = workers
        self.stream = stream
        self.eventLoop = eventLoop
        self.logger = logger
        self.adopt = adopt
        last = eventLoop.makeSucceededVoidFuture()
    }

    /// Reads the whole configuration again, and applies it if it has no error. Reloads run one after the other.
    ///
    /// - Returns: completes when removed pipelines have ended and new or changed pipelines have their workers.
    func reload(dryRun: Bool = false) -> EventLoopFuture<Outcome> {
        eventLoop.preconditionInEventLoop()
        let (file, bound) = (file, NIOLoopBound(self, eventLoop: eventLoop))
        let outcome = last.flatMap {
            let reloader = bound.value
            if !dryRun { reloader.began() }
            let read = reloader.eventLoop.makePromise(of: ConfigurationCheck.self)
            reloader.queue.async { read.succeed(ConfigurationCheck(file: file)) }
            return read.futureResult.flatMap { bound.value.apply($0, dryRun: dryRun) }
        }
        last = outcome.map { _ in if !dryRun { bound.value.ended() } }
        return outcome
    }

    /// The folders that contain the files of the configuration in force.
    var folders: Set<String> {
        let file = file ?? ConfigurationCheck.defaultFile
        return [
            ConfigurationCheck.folder(of: file),
            configuration.daemon.pipelinesFolder(configurationFile: file),
        ]
    }

    /// Stops applying configurations.
    func stop() {
        eventLoop.preconditionInEventLoop()
        isStopping = true
        trialTask?.cancel()
    }

    // MARK: Steps

    private func apply(_ check: ConfigurationCheck, dryRun: Bool) -> EventLoopFuture<Outcome> {
        let new: Configuration
        do throws(DaemonError) {
            new = try Configuration(check)
        } catch {
            if !dryRun { refuse(check.problems) }
            return eventLoop.makeSucceededFuture(.refused(check.problems))
        }
        if !dryRun { for warning in check.warnings { logger.warning("reload: \(warning)") } }
        let plan = ConfigurationPlan(from: configuration, to: new)
        guard !dryRun, !isStopping else {
            return eventLoop.makeSucceededFuture(.planned(plan, revision: revision))
        }
        needsRestart = plan.needsRestart
        for key in plan.needsRestart {
            logger.warning("reload: \(key) takes effect when the daemon is restarted")
        }
        guard !plan.isEmpty else {
            logger.info("reload: nothing has changed")
            // A file may have been renamed without a change of its contents.
            configuration = plan.result
            return eventLoop.makeSucceededFuture(.planned(plan, revision: revision))
        }
        let outcome = Outcome.planned(plan, revision: revision + 1)
        return carryOut(plan).map { outcome }
    }

    private func refuse(_ problems: [ConfigurationError]) {
        for problem in problems { logger.error("reload: \(problem)") }
        logger.error(
            "reload: the old configuration stays",
            metadata: [LoggedEvent.key: "\(LoggedEvent.reloadRefused.rawValue)"])
        let first = problems.first?.description ?? ""
        let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
        record(changed: nil, error: first + more)
    }

    private func carryOut(_ plan: ConfigurationPlan) -> EventLoopFuture<Void> {
        let old = configuration
        configuration = plan.result
        revision += 1
        adopt(configuration)
        logger.info(
            "reload: \(plan.summary)",
            metadata: ["revision": "\(revision)", LoggedEvent.key: "\(LoggedEvent.reloadDone.rawValue)"])
        record(changed: plan.affected, error: nil)
        let ends = plan.removed.map { name in
            trials.end(name)
            return workers.remove(name)
        }
        let replacements = plan.changed.map { change in
            switch change.means {
            case .newWorker: replace(change.name, old: old.pipelines[change.name])
            case .sameWorker: takeOver(change.name)
            }
        }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        // New pipelines wait for removed ones, because both may use one camera.
        return EventLoopFuture.andAllComplete(ends, on: eventLoop).flatMap {
            let reloader = bound.value
            for name in plan.added {
                if let worker = reloader.configuration.worker(name) { reloader.workers.add(worker) }
            }
            return EventLoopFuture.andAllComplete(replacements, on: reloader.eventLoop)
        }
    }

    private func replace(_ name: String, old: PipelineFile?) -> EventLoopFuture<Void> {
        guard let worker = configuration.worker(name) else { return eventLoop.makeSucceededVoidFuture() }
        let trial = configuration.daemon.daemon.trial
        // A pipeline that did not work has no previous settings worth restoring.
        let worked = workers.isOperational(name) || trials.isTried(name)
        if let old, worked, trial > .zero, !workers.isPaused(name) {
            trials.begin(name, old: old, until: .now + trial)
            watchTrials()
        }
        return workers.replace(worker)
    }

    /// Applies settings in the running worker. They need no trial, because they cannot break a working pipeline. A
    /// trial of an earlier change continues.
    private func takeOver(_ name: String) -> EventLoopFuture<Void> {
        configuration.worker(name).map(workers.takeOver) ?? eventLoop.makeSucceededVoidFuture()
    }

    // MARK: Trials

    private func watchTrials() {
        guard trialTask == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        trialTask = eventLoop.scheduleRepeatedTask(
            initialDelay: Self.trialInterval, delay: Self.trialInterval
        ) { _ in bound.value.checkTrials() }
    }

    private func checkTrials() {
        for verdict in trials.check(at: .now, isOperational: workers.isOperational) {
            switch verdict {
            case .passed(let name): logger.info("reload: \(name) works with its new settings")
            case .failed(let name, let old): rollBack(name, to: old)
            }
        }
        if trials.isEmpty {
            trialTask?.cancel()
            trialTask = nil
        }
    }

    private func rollBack(_ name: String, to old: PipelineFile) {
        guard !isStopping, configuration.pipelines[name] != nil, !workers.isPaused(name) else { return }
        configuration.pipelines[name] = old
        revision += 1
        let error =
            "\(name) did not work within \(configuration.daemon.daemon.trial) of the reload; its old settings are restored"
        logger.error(
            "reload: \(error)",
            metadata: [
                "pipeline": "\(name)", "revision": "\(revision)",
                LoggedEvent.key: "\(LoggedEvent.trialFailed.rawValue)",
            ])
        record(changed: [name], error: error)
        if let worker = configuration.worker(name) { _ = workers.replace(worker) }
    }

    private func record(changed: [String]?, error: String?) {
        let event = ConfigEvent(time: Moment.now.time, revision: revision, changed: changed, error: error)
        stream.record { $0.append(event) }
        stream.publish()
    }
}

extension ConfigurationPlan {
    /// A summary for the log.
    fileprivate var summary: String {
        func part(_ verb: String, _ names: [String]) -> String? {
            names.isEmpty ? nil : "\(verb) \(names.joined(separator: ", "))"
        }
        let parts = [
            part("started", added), part("replaced", changed.filter { $0.means == .newWorker }.map(\.name)),
            part("changed", changed.filter { $0.means == .sameWorker }.map(\.name)), part("removed", removed),
            part("applied", applied),
        ]
        return parts.compactMap(\.self).joined(separator: "; ")
    }
}
