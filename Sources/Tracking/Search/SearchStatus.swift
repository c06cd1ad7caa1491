// SPDX-License-Identifier: Apache-2.0
import Observations

/// Where a session is. Names of the phone's showcase app, with what it lacks.
public enum SearchState: String, Sendable, CaseIterable {
    case notStarted = "not_started"
    case detecting
    case detected
    case tooSmall = "too_small"
    case confirming
    case confirmed
    case searching
    case searched
    case searchFailed = "search_failed"
    case timedOut = "timed_out"
}

/// The outcome of a search, judged by the session's threshold.
public enum SearchOutcome: Sendable, Equatable {
    /// Best first, at least one.
    case results([SearchResult])
    /// There is no engine: what was searched says itself what it is.
    case value
    case noResults
    /// There are results, and none is sure enough.
    case lowConfidence
    case failed(SearchFailure)

    /// The name in events.
    public var name: String {
        switch self {
        case .results: "results"
        case .value: "value"
        case .noResults: "no_results"
        case .lowConfidence: "low_confidence"
        case .failed: "failed"
        }
    }
}

/// The report of a session.
public struct SearchStatus: Sendable, Equatable {
    public var state: SearchState
    /// The frame it is about.
    public var frame: FrameInfo
    /// 0...1: of the confirmation, or of the size in `too_small`; nil in other states.
    public var progress: Float?
    /// The object or barcode it is about.
    public var track: TrackID?
    /// As it was seen last; while and after it is searched, as it was confirmed.
    public var detection: Detection?
    /// The search's id.
    public var query: String?
    public var crop: String?
    public var outcome: SearchOutcome?
    public var hint: SearchHint
    /// The measurement behind `hint`, if there was one.
    public var quality: PictureQuality?
    /// Address at which people find help; nil: this state needs none, or none is configured.
    public var help: String?

    public init(state: SearchState, frame: FrameInfo) {
        self.state = state
        self.frame = frame
        hint = state.hint
    }
}

/// A session's order to its lane. Carried out in sequence.
public enum SearchAction: Sendable, Equatable {
    case tell(SearchStatus)
    /// Ask the engine. The query's picture is of the frame in hand, unless it has one.
    case begin(SearchQuery)
    case cancel(query: String)
    /// A command that does not fit the state: in words, for whoever gave it.
    case refuse(String)
}
