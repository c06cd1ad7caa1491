// SPDX-License-Identifier: Apache-2.0

/// The obstacles that keep a source from idling, and their ends. The type is pure.
///
/// An obstacle ends when the source has been without it for a pause of the stream's time. A camera whose frames are out
/// of order at every turn never idles, and one that was disturbed once idles again. Without an end, a machine that was
/// overloaded once would decode everything from then on, and stay overloaded.
///
/// An attempt to idle that fails delays frames, so the pause doubles with each obstacle until an attempt succeeds.
struct IdleObstacles {
    enum Obstacle: String {
        case disorder = "its frames are not in the order of their times"
        case untimed = "a frame has no time stamp"
        case rareKeys = "its key frames are more than 5 s apart"
        case longGroup = "its key frames are more than 5 s apart, or source.ring_bytes is too small"
        case noPictures = "its key frames give no pictures"
    }

    /// In nanoseconds of the stream.
    static let shortestPause: Int64 = 10_000_000_000
    private static let longestPause: Int64 = 3_600_000_000_000

    private var obstacle: (kind: Obstacle, time: Int64)?
    private var disorderTime: Int64?
    private var pause = shortestPause / 2

    var current: String? { obstacle?.kind.rawValue }

    /// Whether frames were out of order within the last `shortestPause`.
    var hasDisorder: Bool { disorderTime != nil }

    /// Ends obstacles that are over at this time.
    mutating func pass(_ time: Int64) {
        if let obstacle, time - obstacle.time > pause { self.obstacle = nil }
        if let disorderTime, time - disorderTime > Self.shortestPause { self.disorderTime = nil }
    }

    /// Records an obstacle that begins or goes on.
    mutating func add(_ kind: Obstacle, at time: Int64) {
        if obstacle == nil { pause = min(2 * pause, Self.longestPause) }
        obstacle = (obstacle?.kind ?? kind, time)
        if kind == .disorder { disorderTime = time }
    }

    /// Makes the next pause the shortest, because the source has idled.
    mutating func resetPause() { pause = Self.shortestPause / 2 }
}
