import Observations

/// A track has entered a zone, stayed in it or left it.
public struct ZoneEvent: Sendable, Equatable {
    public enum Change: Sendable, Equatable {
        case entered
        /// It has been seen in it for as long as the zone's `dwell`. Nanoseconds of the frames' time.
        case dwelling(for: Int64)
        /// For how long it was seen in it.
        case left(after: Int64)
    }

    public var zone: String
    public var change: Change
    /// The step of its life that it did so with.
    public var track: TrackEvent

    public init(zone: String, change: Change, track: TrackEvent) {
        self.zone = zone
        self.change = change
        self.track = track
    }
}
