// SPDX-License-Identifier: Apache-2.0
/// Wall-clock time: nanoseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// 1970-01-01T00:00:00Z.
    public static let epoch = Timestamp(nanoseconds: 0)

    /// Whether the left time is the earlier one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The time this number of nanoseconds later.
    public func advanced(byNanoseconds delta: Int64) -> Timestamp {
        Timestamp(nanoseconds: nanoseconds &+ delta)
    }
}

/// The clock of a line's `time`.
public enum ClockSource: String, Sendable, Codable {
    /// The sender's clock, by RTCP sender reports or NTP timestamps.
    case ntp
    /// This machine's clock when the frame arrived, less its age in the media pipeline.
    case arrival
    /// The file's own clock: the epoch plus the presentation time, so that output is reproducible.
    case file
}
