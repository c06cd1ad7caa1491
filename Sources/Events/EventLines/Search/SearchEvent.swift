// SPDX-License-Identifier: Apache-2.0
import Observations
import Search

/// The state of a live search.
public struct SearchEvent: Sendable, Equatable {
    /// The detector whose tracks the session follows.
    public var detector: String
    /// The kind of the features that the session follows.
    public var kind: FeatureKind
    public var status: SearchStatus

    public init(detector: String, kind: FeatureKind, status: SearchStatus) {
        self.detector = detector
        self.kind = kind
        self.status = status
    }
}
