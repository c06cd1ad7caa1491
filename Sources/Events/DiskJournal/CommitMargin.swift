// SPDX-License-Identifier: Apache-2.0
/// Computes how early a commit must begin so that its events are on disk in time, from the durations of recent commits.
/// The type is pure.
///
/// The margin is the longest duration, reduced by an eighth with each shorter commit. It never exceeds half of the
/// interval, because a very slow disk needs fewer commits, not more.
struct CommitMargin: Sendable {
    private var longest: Duration = .zero

    mutating func note(_ duration: Duration) { longest = max(duration, longest * 7 / 8) }

    /// The time that a commit may wait after its first event.
    ///
    /// - Parameter sync: the longest time until an event is committed.
    func wait(_ sync: Duration) -> Duration { sync - min(longest, sync / 2) }
}
