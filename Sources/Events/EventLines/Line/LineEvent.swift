// SPDX-License-Identifier: Apache-2.0
import Observations

/// A track has crossed a line.
public struct LineEvent: Sendable, Equatable {
    /// The name of the line.
    public var line: String
    public var direction: CrossingLine.Direction
    /// The track's event that showed it.
    public var track: TrackEvent

    public init(line: String, direction: CrossingLine.Direction, track: TrackEvent) {
        self.line = line
        self.direction = direction
        self.track = track
    }
}
