// SPDX-License-Identifier: Apache-2.0
import Frames
import Search

/// Carries out the actions of a search session: makes the crop, and asks the engine. The session itself is a function
/// of its inputs.
package protocol SearchPerformer: Sendable {
    /// Whether it answers. Otherwise it only makes pictures, and a subscriber answers.
    var answers: Bool { get }

    /// Begins a search. It is called on the lane's thread, and returns without waiting for a file or an engine.
    ///
    /// - Parameters:
    ///   - frame: the frame of confirmation, retained until the crop is made. nil for a repeated search; `query.crop`
    ///     then has the earlier picture, if any.
    ///   - report: takes `.cropped` at most once, when the picture is complete. If the performer answers, it then takes
    ///     `.answered` exactly once, unless the search is cancelled. Called on any thread.
    func begin(_ query: SearchQuery, in frame: Frame?, report: @escaping @Sendable (SearchReport) -> Void)

    /// Called when the session has left or given up the search.
    func cancel(_ id: String)
}
