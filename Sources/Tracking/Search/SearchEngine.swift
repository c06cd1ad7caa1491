// SPDX-License-Identifier: Apache-2.0
/// Finds out what an object is. Called from one thread at a time; a session asks one thing at a time.
package protocol SearchEngine: Sendable {
    /// Whether a query needs `crop`. Where it does and the picture cannot be made, the engine is not asked.
    var needsCrop: Bool { get }

    /// Begins a search and returns at once.
    ///
    /// - Parameter completion: called once, from any thread, in bounded time by the engine's own clock; after `cancel`
    ///   not, or in vain.
    func start(_ query: SearchQuery, completion: @escaping @Sendable (SearchAnswer) -> Void)

    /// The session has left the search. An id that is not under way is ignored.
    func cancel(_ id: String)
}
