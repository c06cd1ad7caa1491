import Observations

/// What a subscriber wants to see. Conditions that are absent let everything through.
package struct EventFilter: Sendable, Equatable {
    /// Names or patterns of pipelines. Lines that are about no pipeline pass.
    package var pipelines: [NamePattern]?
    /// Kinds of feature. Lines about a source are about no kind, and pass.
    package var kinds: Set<FeatureKind>?
    /// Line types of the log.
    package var types: Set<EncodedEvent.Kind>?

    package init(
        pipelines: [NamePattern]? = nil, kinds: Set<FeatureKind>? = nil, types: Set<EncodedEvent.Kind>? = nil
    ) {
        self.pipelines = pipelines
        self.kinds = kinds
        self.types = types
    }

    package var isEverything: Bool { pipelines == nil && kinds == nil && types == nil }

    package func matches(_ event: EncodedEvent, pipeline: String?) -> Bool {
        if let types, !types.contains(event.kind) { return false }
        return matchesState(event, pipeline: pipeline)
    }

    /// Whether a live track belongs into this subscriber's `state`: the type of its newest line does not matter.
    func matchesState(_ event: EncodedEvent, pipeline: String?) -> Bool {
        if let kinds, let feature = event.feature, !kinds.contains(feature) { return false }
        if let pipelines, let pipeline, !pipelines.contains(where: { $0.matches(pipeline) }) { return false }
        return true
    }
}
