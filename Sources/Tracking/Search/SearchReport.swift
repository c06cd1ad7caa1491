// SPDX-License-Identifier: Apache-2.0
/// The result of a search that was begun: an input of the session, and so on every tape.
public enum SearchReport: Sendable, Equatable {
    /// The object's picture is whole at this path.
    case cropped(query: String, path: String)
    case answered(query: String, SearchAnswer)
}
