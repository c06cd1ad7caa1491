import EventLines
import Observations
import Search
import Tracking

/// All that the part of a lane behind its detector is given, in order. What that part says is a function of its inputs and their times.
public enum LaneInput: Sendable, Equatable {
    /// The detector began to work, or cannot.
    case status(DetectorStatus)
    /// What the detector saw in a frame, and what its own settings kept out of that.
    case results(DetectionResults, withheld: [Explanation.Untracked])
    /// A frame that the detector could not cope with.
    case failed(FrameInfo)
    /// Somebody wants the focus on this track; nil: back to the policy.
    case focus(TrackID?)
    /// From here on tracks follow these rules, and the detector runs so often a second at most (0: on every frame it can). Those that a lane
    /// begins with are its plan's.
    case rules(TrackerConfiguration, maximumRate: Double)
    /// From here on these are the zones. Those that a lane begins with are its plan's.
    case zones([Zone])
    /// A picture of a live track, or one that has just ended, is whole on disk.
    case pictured(SnapshotEvent)
    /// Something that the lane's search session is given besides frames.
    case search(SearchInput)
    /// Every track ends.
    case complete(CompletionReason)
}

/// What becomes of the source, as the event stream is told.
public struct SourceInput: Sendable, Equatable {
    public var state: SourceEvent.State
    /// The last frame before it, or the first one after a connection; nil: there was none.
    public var frame: FrameInfo?
    /// Redacted, for people.
    public var error: String?

    public init(state: SourceEvent.State, frame: FrameInfo? = nil, error: String? = nil) {
        self.state = state
        self.frame = frame
        self.error = error
    }
}

/// Keeps what a pipeline's events are a function of, in an order in which the same events come out again.
public protocol PipelineRecorder: Sendable {
    /// A lane takes an input. Called on that lane's thread, before the input has any effect.
    ///
    /// - Parameter time: what the wall clock of lines without a frame says of it.
    func laneTakes(_ input: LaneInput, at time: Timestamp, of detector: String)

    /// What a lane has taken since the last call leaves as lines now: `write` writes them. One call at a time has to be in `write`.
    func laneWrites(_ detector: String, _ write: () -> Void)

    /// The same for a line about the source.
    func sourceChanges(_ input: SourceInput, at time: Timestamp, _ write: () -> Void)
}
