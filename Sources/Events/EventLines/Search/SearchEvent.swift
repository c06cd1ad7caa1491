import Observations
import Search

/// What a live search says of itself.
public struct SearchEvent: Sendable, Equatable {
    /// The detector whose tracks the session follows.
    public var detector: String
    public var kind: FeatureKind
    public var status: SearchStatus

    public init(detector: String, kind: FeatureKind, status: SearchStatus) {
        self.detector = detector
        self.kind = kind
        self.status = status
    }
}
