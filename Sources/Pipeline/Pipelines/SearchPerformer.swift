import Frames
import Search

/// Carries out what a search session asks for: makes the crop, and asks the engine. The session itself is a function of its inputs.
package protocol SearchPerformer: Sendable {
    /// Whether it answers; if not it makes pictures, and a subscriber answers.
    var answers: Bool { get }

    /// Begins a search. Called on the lane's thread, and returns without waiting for a file or an engine.
    ///
    /// - Parameters:
    ///   - frame: the frame of confirmation, held until the crop is made; nil when a search is tried again: `query.crop` then has the earlier
    ///     picture, if there was one.
    ///   - report: takes `.cropped` as soon as the picture is whole, at most once, and then, where it
    ///     answers, `.answered` exactly once unless the search is cancelled. From any thread.
    func begin(_ query: SearchQuery, in frame: Frame?, report: @escaping @Sendable (SearchReport) -> Void)

    /// The session has left the search, or gave it up.
    func cancel(_ id: String)
}
