/// How long before an event has to be on disk its commit begins: as long as commits take lately. Pure.
///
/// The longest of them counts, less an eighth with each that is shorter; never more than half of the interval, as a disk that is so slow
/// is helped by fewer commits, not by more.
struct CommitMargin: Sendable {
    private var longest: Duration = .zero

    mutating func note(_ duration: Duration) { longest = max(duration, longest * 7 / 8) }

    /// How long a commit may wait after the first of its events.
    ///
    /// - Parameter sync: the longest that an event is to wait to be committed.
    func wait(_ sync: Duration) -> Duration { sync - min(longest, sync / 2) }
}
