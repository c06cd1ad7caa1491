// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// The events that a subscriber wants. An absent condition lets every event pass. An event must meet all present
/// conditions.
package struct EventFilter: Sendable, Equatable {
    /// Names or patterns of pipelines. Lines about no pipeline pass.
    package var pipelines: [NamePattern]?
    /// Kinds of feature. Lines about a source have no kind and pass.
    package var kinds: Set<FeatureKind>?
    /// Line types of the log.
    package var types: Set<EncodedEvent.Kind>?
    /// A condition that one line of a track must meet. Lines about no track pass.
    package var track = TrackCondition()
    /// The highest rate of updates per track, per second of frame time.
    package var updateRate: Double?
    /// Whether track lines contain the stage times of their frame.
    package var stages = false
    /// The lines that the subscriber receives on request.
    package var requested: RequestedLines = []
    /// The highest rate of frame lines per detector, per second of frame time; nil for no limit.
    package var frameRate: Double?
    /// Whether the subscriber is no reason to run a pipeline that runs on demand.
    package var isPassive = false
    /// Whether each pipeline of the log matches, by pipeline index. The cache makes sure that a name is compared only
    /// once.
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

    /// Whether the subscriber receives each line unchanged.
    package var isEverything: Bool {
        pipelines == nil && kinds == nil && types == nil && !followsTracks && !stages
    }

    /// Whether a decision depends on more than the line itself.
    var followsTracks: Bool { !track.isEmpty || track.lines != nil || updateRate != nil }

    /// Compares the names of pipelines that the log has added since the last call.
    mutating func learnPipelines(_ log: EventLog) {
        guard pipelines != nil else { return }
        while verdicts.count < log.pipelines.count { verdicts.append(matches(log.name(ofPipeline: verdicts.count))) }
    }

    private func matches(_ name: String) -> Bool { pipelines?.contains { $0.matches(name) } ?? true }

    /// Whether the pipeline with this index matches.
    private func wants(pipeline: Int, _ log: EventLog) -> Bool {
        guard pipelines != nil else { return true }
        return verdicts.indices.contains(pipeline) ? verdicts[pipeline] : matches(log.name(ofPipeline: pipeline))
    }

    /// Whether the pipeline and the kind of the line match.
    func concerns(_ event: EventHeader, pipeline: Int?, _ log: EventLog) -> Bool {
        if let kinds, let feature = event.feature, !kinds.contains(feature) { return false }
        return pipeline.map { wants(pipeline: $0, log) } ?? true
    }

    /// Whether a line about a track of one of these kinds, from this pipeline of the log, can pass.
    package func wantsTracks(ofPipeline pipeline: Int, kinds found: Set<FeatureKind>, _ log: EventLog) -> Bool {
        if requested.isEmpty, let types,
            types.isDisjoint(with: [.detected, .update, .missing, .completed, .zone, .line])
        {
            return false
        }
        if let kinds, kinds.isDisjoint(with: found) { return false }
        return wants(pipeline: pipeline, log)
    }

    /// The requested lines about one of these kinds, from this pipeline of the log, that can pass.
    package func requestedLines(
        ofPipeline pipeline: Int, kinds found: Set<FeatureKind>, _ log: EventLog
    ) -> RequestedLines {
        if requested.isEmpty { return [] }
        if let kinds, kinds.isDisjoint(with: found) { return [] }
        return wants(pipeline: pipeline, log) ? requested : []
    }

    /// Whether a line of a live search with this kind, from this pipeline of the log, can pass.
    package func wantsSearch(ofPipeline pipeline: Int, kind: FeatureKind, _ log: EventLog) -> Bool {
        if let types, !types.contains(.search) { return false }
        if let kinds, !kinds.contains(kind) { return false }
        return wants(pipeline: pipeline, log)
    }

    func wants(_ kind: EncodedEvent.Kind) -> Bool { types?.contains(kind) ?? true }
}
