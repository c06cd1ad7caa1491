// SPDX-License-Identifier: Apache-2.0
import EventSocket
import NIOCore
import Observations
import Settings
import Workers

/// Starts and stops work in the workers according to the subscribers' filters. It wakes live searches while a
/// subscriber receives their lines, and enables frame lines and explain lines while a subscriber requests them.
///
/// It starts pipelines with `source.on_demand` when the filter of a subscriber that is not passive, or a snapshot,
/// needs them. It stops them after `source.linger` without need. It belongs to one event loop.
final class Demand {
    private struct Pipeline {
        var kinds: Set<FeatureKind>
        /// The kind that its live search searches; nil without a live search.
        var search: FeatureKind?
        var linger: TimeAmount
        /// The number of requested pictures that are not finished.
        var recordings = 0
        /// The scheduled end of the pipeline.
        var end: Scheduled<Void>?
    }

    private let workers: Workers
    private let events: EventSocket
    private let eventLoop: any EventLoop
    private var pipelines: [String: Pipeline] = [:]
    /// The pipelines with a live search, and the kind of each search.
    private var searches: [String: FeatureKind] = [:]
    /// The kinds of features that each pipeline detects.
    private var kinds: [String: Set<FeatureKind>] = [:]

    init(_ configuration: Configuration, workers: Workers, events: EventSocket, eventLoop: any EventLoop) {
        self.workers = workers
        self.events = events
        self.eventLoop = eventLoop
        configure(configuration)
    }

    /// Takes a new configuration, before or after it comes into force.
    func configure(_ configuration: Configuration) {
        eventLoop.preconditionInEventLoop()
        for pipeline in pipelines.values { pipeline.end?.cancel() }
        let recordings = pipelines.mapValues(\.recordings)
        pipelines = configuration.pipelines.compactMapValues { file in
            guard file.settings.source.onDemand else { return nil }
            return Pipeline(
                kinds: file.settings.kinds, search: file.settings.searchKind,
                linger: TimeAmount(file.settings.source.linger), end: nil)
        }
        searches = configuration.pipelines.compactMapValues(\.settings.searchKind)
        kinds = configuration.pipelines.mapValues(\.settings.kinds)
        for (name, count) in recordings { pipelines[name]?.recordings = count }
        update()
    }

    /// Takes changes of the subscribers into account.
    func update() {
        eventLoop.preconditionInEventLoop()
        for (name, kind) in searches {
            workers.setSearchAttended(name, events.hasSubscriber(toSearchOf: name, kind: kind))
        }
        let requested = events.requestedLines(kinds)
        for name in kinds.keys { workers.setRequestedLines(name, requested[name] ?? []) }
        for (name, pipeline) in pipelines {
            let hasSearcher =
                pipeline.search.map { events.hasSubscriber(toSearchOf: name, kind: $0, passive: false) } ?? false
            if hasSearcher || pipeline.recordings > 0 || events.hasSubscriber(toPipeline: name, kinds: pipeline.kinds) {
                pipelines[name]?.end?.cancel()
                pipelines[name]?.end = nil
                workers.setNeeded(name, true)
            } else if pipeline.end == nil {
                let bound = NIOLoopBound(self, eventLoop: eventLoop)
                pipelines[name]?.end = eventLoop.scheduleTask(in: pipeline.linger) { bound.value.end(name) }
            }
        }
    }

    /// Runs a pipeline until the future that `record` returns completes.
    func recording<Value, Failure>(
        _ name: String, _ record: () throws(Failure) -> EventLoopFuture<Value>
    ) throws(Failure) -> EventLoopFuture<Value> {
        eventLoop.preconditionInEventLoop()
        count(1, name)
        do throws(Failure) {
            let bound = NIOLoopBound(self, eventLoop: eventLoop)
            return try record().always { _ in bound.value.count(-1, name) }
        } catch {
            count(-1, name)
            throw error
        }
    }

    private func count(_ change: Int, _ name: String) {
        guard let now = pipelines[name]?.recordings else { return }
        pipelines[name]?.recordings = max(0, now + change)
        update()
    }

    func stop() {
        eventLoop.preconditionInEventLoop()
        for pipeline in pipelines.values { pipeline.end?.cancel() }
        pipelines = [:]
    }

    private func end(_ name: String) {
        pipelines[name]?.end = nil
        workers.setNeeded(name, false)
    }
}

extension PipelineSettings {
    /// The kind that its live search searches; nil without a live search.
    fileprivate var searchKind: FeatureKind? { search.flatMap { $0.enabled ? $0.kind : nil } }

    /// The kinds of features that its detectors detect.
    fileprivate var kinds: Set<FeatureKind> { Set(runningDetectors.map(\.kind)) }
}
