// SPDX-License-Identifier: Apache-2.0
import Observations

/// The facts about an event that routing needs. They are not read from the line again.
public struct EventHeader: Sendable, Equatable {
    public var kind: EncodedEvent.Kind
    public var origin: EventOrigin
    /// 0 for lines about no track.
    public var track: UInt64
    /// The stage times, which are not part of the event's body. They are written only for readers that request them.
    public var stages: StageTimes?

    public init(
        kind: EncodedEvent.Kind, origin: EventOrigin = .none, track: UInt64 = 0, stages: StageTimes? = nil
    ) {
        self.kind = kind
        self.origin = origin
        self.track = track
        self.stages = stages
    }

    /// Empty for lines about no detector.
    public var detector: String { origin.detector }
    /// The kind of feature; nil for lines about the source.
    public var feature: FeatureKind? { origin.feature }
}
