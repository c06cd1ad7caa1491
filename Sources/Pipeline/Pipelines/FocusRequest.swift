import Observations

/// Where somebody wants the focus of a detector.
enum FocusRequest: Sendable, Equatable {
    case track(TrackID)
    /// Back to the configured policy.
    case policy

    var track: TrackID? {
        if case .track(let id) = self { id } else { nil }
    }
}

/// A request that cannot be passed on, in words for whoever made it.
public struct FocusRequestError: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) {
        self.description = description
    }
}
