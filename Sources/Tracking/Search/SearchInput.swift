import Observations

/// What a session is given besides frames. Each is an input of its lane, and so on every tape.
public enum SearchInput: Sendable, Equatable {
    case command(SearchCommand)
    case report(SearchReport)
    /// How the region is that the session asked for (`SearchSession.regionToMeasure`), in the frame it saw last.
    case quality(PictureQuality)
}

/// What people and programs ask of a session.
public enum SearchCommand: Sendable, Equatable {
    /// Search what is confirmed.
    case search
    /// Leave what is shown, or what is under way, and look again.
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
