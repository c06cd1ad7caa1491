import EventSocket
import NIOCore
import Observations
import Settings
import Workers

/// Wakes live searches while somebody subscribes to them. Has workers tell of each frame while somebody asks for that. Starts pipelines with `source.on_demand` when the first subscriber comes whose filter
/// they concern, or somebody wants a picture, and ends them when nobody has been there for `source.linger`. Lives on one event loop.
final class Demand {
    private struct Pipeline {
        var kinds: Set<FeatureKind>
        /// Of what its live search is; nil: it has none.
        var search: FeatureKind?
        var linger: TimeAmount
        /// Pictures that were asked for and are not there yet.
        var recordings = 0
        /// When it ends, if nobody comes before.
        var end: Scheduled<Void>?
    }

    private let workers: Workers
    private let events: EventSocket
    private let eventLoop: any EventLoop
    private var pipelines: [String: Pipeline] = [:]
    /// Those with a live search, and what it searches.
    private var searches: [String: FeatureKind] = [:]
    /// The kinds of features that each pipeline finds.
    private var kinds: [String: Set<FeatureKind>] = [:]

    init(_ configuration: Configuration, workers: Workers, events: EventSocket, eventLoop: any EventLoop) {
        self.workers = workers
        self.events = events
        self.eventLoop = eventLoop
        configure(configuration)
    }

    /// Another configuration is in force, or about to be.
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

    /// Subscribers came, went, or want something else.
    func update() {
        eventLoop.preconditionInEventLoop()
        for (name, kind) in searches {
            workers.setSearchAttended(name, events.hasSubscriber(toSearchOf: name, kind: kind))
        }
        let wanted = events.pipelinesWithWantedFrames(kinds)
        for name in kinds.keys { workers.setFramesWanted(name, wanted.contains(name)) }
        for (name, pipeline) in pipelines {
            let hasSearcher = pipeline.search.map { events.hasSubscriber(toSearchOf: name, kind: $0) } ?? false
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

    /// Runs a pipeline until what `record` gives is done.
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
    /// The kind that its live search searches; nil: there is none.
    fileprivate var searchKind: FeatureKind? { search.flatMap { $0.enabled ? $0.kind : nil } }

    /// Of the features that its detectors find.
    fileprivate var kinds: Set<FeatureKind> { Set(runningDetectors.map(\.kind)) }
}
