// SPDX-License-Identifier: Apache-2.0
import Observations

/// A track has entered a zone, dwells in it, or has left it.
public struct ZoneEvent: Sendable, Equatable {
    /// A step of a track's stay in a zone.
    public enum Change: Sendable, Equatable {
        /// The anchor of the track's box is in the zone, and was not before.
        case entered
        /// The track has been seen in the zone for at least the zone's `dwell`. The value is the time seen, in
        /// nanoseconds of frame time.
        case dwelling(for: Int64)
        /// The track has left the zone. The value is the time seen in the zone, in nanoseconds of frame time.
        case left(after: Int64)
    }

    /// The name of the zone.
    public var zone: String
    public var change: Change
    /// The track's event that caused the change.
    public var track: TrackEvent

    public init(zone: String, change: Change, track: TrackEvent) {
        self.zone = zone
        self.change = change
        self.track = track
    }
}
