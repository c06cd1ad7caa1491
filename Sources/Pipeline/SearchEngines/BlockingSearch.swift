// SPDX-License-Identifier: Apache-2.0
import Search
import Synchronization

/// An engine that blocks a thread during a search. Only one queue may use it.
protocol BlockingSearch {
    var needsCrop: Bool { get }

    /// Blocks until there is an answer, for a bounded time. Soon after `cancellation` is set it may return any answer.
    func answer(_ query: SearchQuery, _ cancellation: SearchCancellation) -> SearchAnswer
}

/// Tells an engine that its search was cancelled or has timed out.
final class SearchCancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    let deadline: ContinuousClock.Instant

    init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

    func cancel() { flag.store(true, ordering: .relaxed) }

    var isCancelled: Bool { flag.load(ordering: .relaxed) || ContinuousClock.now >= deadline }

    /// The remaining time, at least zero.
    var remaining: Duration { max(.zero, deadline - .now) }
}
