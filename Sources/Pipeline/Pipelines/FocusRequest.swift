// SPDX-License-Identifier: Apache-2.0
import Observations

/// A request to move a detector's focus.
enum FocusRequest: Sendable, Equatable {
    case track(TrackID)
    /// Return to the configured policy.
    case policy

    var track: TrackID? {
        if case .track(let id) = self { id } else { nil }
    }
}

/// The reason why a request cannot be passed on, as text for the requester.
public struct FocusRequestError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The reason, for the requester.
    public var description: String

    public init(_ description: String) {
        self.description = description
    }
}
