import EventLines
import Observations

/// What a subscriber wants to see. Conditions that are absent let everything through; all that are there must hold.
package struct EventFilter: Sendable, Equatable {
    /// Names or patterns of pipelines. Lines that are about no pipeline pass.
    package var pipelines: [NamePattern]?
    /// Kinds of feature. Lines about a source are about no kind, and pass.
    package var kinds: Set<FeatureKind>?
    /// Line types of the log.
    package var types: Set<EncodedEvent.Kind>?
    /// What a track must have been, in one of its lines. Lines that are about no track pass.
    package var track = TrackCondition()
    /// Updates of each track per second of its frames' time.
    package var updateRate: Double?
    /// Whether its track lines say where their frame's time went.
    package var stages = false
    /// Whether it gets a line for each frame that a detector processed.
    package var frames = false
    /// Such lines of each detector per second of its frames' time; nil: all.
    package var frameRate: Double?
    /// Whether the log's pipelines are wanted, by index: a name is looked at once.
    private var verdicts: [Bool] = []

    package init(
        pipelines: [NamePattern]? = nil, kinds: Set<FeatureKind>? = nil, types: Set<EncodedEvent.Kind>? = nil,
        track: TrackCondition = TrackCondition(), updateRate: Double? = nil
    ) {
        self.pipelines = pipelines
        self.kinds = kinds
        self.types = types
        self.track = track
        self.updateRate = updateRate
    }

    /// Whether it gets each line as it is.
    package var isEverything: Bool {
        pipelines == nil && kinds == nil && types == nil && !followsTracks && !stages
    }

    /// Whether more than the line itself decides about it.
    var followsTracks: Bool { !track.isEmpty || updateRate != nil }

    /// Looks at the names of pipelines that are new.
    mutating func learnPipelines(_ log: EventLog) {
        guard pipelines != nil else { return }
        while verdicts.count < log.pipelines.count { verdicts.append(matches(log.name(ofPipeline: verdicts.count))) }
    }

    private func matches(_ name: String) -> Bool { pipelines?.contains { $0.matches(name) } ?? true }

    /// Whether a pipeline, by its index, is wanted.
    private func wants(pipeline: Int, _ log: EventLog) -> Bool {
        guard pipelines != nil else { return true }
        return verdicts.indices.contains(pipeline) ? verdicts[pipeline] : matches(log.name(ofPipeline: pipeline))
    }

    /// Whether the line is about a pipeline and a kind that are wanted.
    func concerns(_ event: EncodedEvent, pipeline: Int?, _ log: EventLog) -> Bool {
        if let kinds, let feature = event.feature, !kinds.contains(feature) { return false }
        return pipeline.map { wants(pipeline: $0, log) } ?? true
    }

    /// Whether a line about a track of one of these kinds, of a pipeline of the log, can pass.
    package func wantsTracks(ofPipeline pipeline: Int, kinds found: Set<FeatureKind>, _ log: EventLog) -> Bool {
        if !frames, let types, types.isDisjoint(with: [.detected, .update, .missing, .completed, .zone]) {
            return false
        }
        if let kinds, kinds.isDisjoint(with: found) { return false }
        return wants(pipeline: pipeline, log)
    }

    /// Whether a frame's line about one of these kinds, of a pipeline of the log, can pass.
    package func wantsFrames(ofPipeline pipeline: Int, kinds found: Set<FeatureKind>, _ log: EventLog) -> Bool {
        guard frames else { return false }
        if let kinds, kinds.isDisjoint(with: found) { return false }
        return wants(pipeline: pipeline, log)
    }

    /// Whether a live search's line about this kind, of a pipeline of the log, can pass.
    package func wantsSearch(ofPipeline pipeline: Int, kind: FeatureKind, _ log: EventLog) -> Bool {
        if let types, !types.contains(.search) { return false }
        if let kinds, !kinds.contains(kind) { return false }
        return wants(pipeline: pipeline, log)
    }

    func wants(_ kind: EncodedEvent.Kind) -> Bool { types?.contains(kind) ?? true }
}
