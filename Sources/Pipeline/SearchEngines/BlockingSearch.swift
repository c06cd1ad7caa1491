import Search
import Synchronization

/// An engine that takes a thread for the time of its search. Used by one queue.
protocol BlockingSearch {
    var needsCrop: Bool { get }

    /// Blocks until there is an answer, which comes in bounded time; soon after `cancellation` is set it may be anything.
    func answer(_ query: SearchQuery, _ cancellation: SearchCancellation) -> SearchAnswer
}

/// Set when nobody waits for a search any more: it was cancelled, or its time is over.
final class SearchCancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    let deadline: ContinuousClock.Instant

    init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

    func cancel() { flag.store(true, ordering: .relaxed) }

    var isCancelled: Bool { flag.load(ordering: .relaxed) || ContinuousClock.now >= deadline }

    /// Not below zero.
    var remaining: Duration { max(.zero, deadline - .now) }
}
