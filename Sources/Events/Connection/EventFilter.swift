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

    package var isEverything: Bool { pipelines == nil && kinds == nil && types == nil && !followsTracks }

    /// Whether more than the line itself decides about it.
    var followsTracks: Bool { !track.isEmpty || updateRate != nil }

    /// Whether the line is about a pipeline and a kind that are wanted.
    func concerns(_ event: EncodedEvent, pipeline: String?) -> Bool {
        if let kinds, let feature = event.feature, !kinds.contains(feature) { return false }
        if let pipelines, let pipeline, !pipelines.contains(where: { $0.matches(pipeline) }) { return false }
        return true
    }

    /// Whether a line about a track of one of these kinds, of a pipeline of this name, can pass.
    package func wantsTracks(ofPipeline pipeline: String, kinds found: Set<FeatureKind>) -> Bool {
        if let types, types.isDisjoint(with: [.detected, .update, .missing, .completed, .zone]) { return false }
        if let kinds, kinds.isDisjoint(with: found) { return false }
        return pipelines?.contains { $0.matches(pipeline) } ?? true
    }

    /// Whether a live search's line about this kind, of a pipeline of this name, can pass.
    package func wantsSearch(ofPipeline pipeline: String, kind: FeatureKind) -> Bool {
        if let types, !types.contains(.search) { return false }
        if let kinds, !kinds.contains(kind) { return false }
        return pipelines?.contains { $0.matches(pipeline) } ?? true
    }

    func wants(_ kind: EncodedEvent.Kind) -> Bool { types?.contains(kind) ?? true }
}
