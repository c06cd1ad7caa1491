// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations
import Search
import Tracking

/// An input of the part of a lane behind its detector. The output of that part is a function of its inputs and their
/// times.
public enum LaneInput: Sendable, Equatable {
    /// The detector is operational, or cannot work.
    case status(DetectorStatus)
    /// The detector's results in a frame, and the detections that its own settings withheld.
    case results(DetectionResults, withheld: [Explanation.Untracked])
    /// The gate lets this frame through, after frames without changes. The frame's result is the next input.
    case opened(GateOpening, FrameInfo)
    /// A frame without changes: the detector's last detections count for this frame too.
    case unchanged(FrameInfo)
    /// A frame on which the detector failed.
    case failed(FrameInfo)
    /// Moves the focus to this track; nil returns to the policy.
    case focus(TrackID?)
    /// Changes the tracking rules and the highest rate of the detector per second (0: every frame possible). The plan
    /// has the initial values.
    case rules(TrackerConfiguration, maximumRate: Double)
    /// Changes the zones. The plan has the initial zones.
    case zones([Zone])
    /// Changes the lines to cross. The plan has the initial lines.
    case lines([CrossingLine])
    /// A picture of a live or just ended track is completely written.
    case pictured(SnapshotEvent)
    /// An input for the lane's search session, apart from frames.
    case search(SearchInput)
    /// Every track ends.
    case complete(CompletionReason)
}

/// A change of the source, as reported in the event stream.
public struct SourceInput: Sendable, Equatable {
    /// The state after the change.
    public var state: SourceEvent.State
    /// The last frame before the change, or the first one after a connection; nil without such a frame.
    public var frame: FrameInfo?
    /// A redacted text for people.
    public var error: String?

    public init(state: SourceEvent.State, frame: FrameInfo? = nil, error: String? = nil) {
        self.state = state
        self.frame = frame
        self.error = error
    }
}

/// Records the inputs from which a pipeline's events follow, in an order that reproduces the events.
public protocol PipelineRecorder: Sendable {
    /// Called on the lane's thread when a lane takes an input, before the lines of the input leave.
    ///
    /// - Parameter time: the time of the input by the wall clock of lines without a frame.
    func laneTakes(_ input: LaneInput, at time: Timestamp, of detector: String)

    /// Called when the lines of a lane's inputs since the last call leave; `write` writes them. Only one call at a time
    /// may be inside `write`.
    func laneWrites(_ detector: String, _ write: () -> Void)

    /// Called when a line about the source leaves; `write` writes it. Only one call at a time may be inside `write`.
    func sourceChanges(_ input: SourceInput, at time: Timestamp, _ write: () -> Void)
}
