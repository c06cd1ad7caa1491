// SPDX-License-Identifier: Apache-2.0
import Confinement
import Dispatch
import Search
import Synchronization

/// Runs a blocking engine on its own thread, one search at a time, each within its time limit.
///
/// A new search cancels the running one, because a session makes one search at a time and ignores earlier ones. So at
/// most one search runs and one waits.
package final class SearchRunner: SearchEngine {
    private struct Search: Sendable {
        var id: String
        var cancellation: SearchCancellation
        var completion: @Sendable (SearchAnswer) -> Void
    }

    private let engine: Confined<any BlockingSearch>
    private let timeout: Duration
    private let queue: DispatchQueue
    package let needsCrop: Bool
    /// The newest search. The caller that removes it delivers its answer.
    private let current = Mutex<Search?>(nil)

    /// - Parameter timeout: the limit for a whole search, including the wait for an earlier one.
    init(_ engine: sending any BlockingSearch, timeout: Duration) {
        needsCrop = engine.needsCrop
        queue = DispatchQueue(label: "search", qos: .userInitiated)
        self.engine = Confined(engine, to: queue)
        self.timeout = timeout
    }

    package func start(_ query: SearchQuery, completion: @escaping @Sendable (SearchAnswer) -> Void) {
        let cancellation = SearchCancellation(deadline: .now + timeout)
        let search = Search(id: query.id, cancellation: cancellation, completion: completion)
        let earlier = current.withLock { current in
            defer { current = search }
            return current
        }
        earlier?.cancellation.cancel()
        queue.async { [self] in
            guard !cancellation.isCancelled else { return }
            let answer = engine.with { $0.answer(query, cancellation) }
            finish(cancellation, answer)
        }
        // An engine that hangs keeps its thread, but the timeout is still reported.
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(timeout.milliseconds)) {
            [weak self, timeout] in
            let message = "no answer within \(timeout)"
            self?.finish(cancellation, .failed(SearchFailure(.timeout, retryable: true, message: message)))
        }
    }

    package func cancel(_ id: String) {
        let cancelled = current.withLock { current -> Search? in
            guard current?.id == id else { return nil }
            defer { current = nil }
            return current
        }
        cancelled?.cancellation.cancel()
    }

    private func finish(_ cancellation: SearchCancellation, _ answer: SearchAnswer) {
        let search = current.withLock { current -> Search? in
            guard current?.cancellation === cancellation else { return nil }
            defer { current = nil }
            return current
        }
        guard let search else { return }
        cancellation.cancel()
        search.completion(answer)
    }
}

extension Duration {
    /// The duration in milliseconds, at least 1.
    var milliseconds: Int { Int(clamping: max(1, Int64(self / .milliseconds(1)))) }
}
