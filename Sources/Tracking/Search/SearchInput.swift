// SPDX-License-Identifier: Apache-2.0
import Observations

/// An input of a session besides frames. Each is an input of its lane, and so on every tape.
public enum SearchInput: Sendable, Equatable {
    case command(SearchCommand)
    case report(SearchReport)
    /// How the region is that the session asked for (`SearchSession.regionToMeasure`), in the frame it saw last.
    case quality(PictureQuality)
}

/// A command of a person or a program to a session.
public enum SearchCommand: Sendable, Equatable {
    /// Search what is confirmed.
    case search
    /// Leave the shown result or the running search, and look again.
    case dismiss
    /// Search the same thing again, or look again.
    case retry
    /// Take this track as if it were on the reticle.
    case select(TrackID)
    /// A subscriber's answer to the search of this id.
    case answer(query: String, SearchAnswer)
    /// Whether there is anybody for whom the session is.
    case attend(Bool)
}
