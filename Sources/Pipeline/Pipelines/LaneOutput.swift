import EventLines
import Observations
import Search
import Tracking

/// What comes of one input of a lane: first the changes of its tracks, then the reports.
public struct LaneOutput: Sendable {
    /// What a lane says besides its tracks.
    public enum Report: Sendable, Equatable {
        /// The detector began to work, or cannot.
        case status(DetectorStatus)
        /// The detector failed on a frame, which costs this frame and no more. Reported at most once a second; all are counted.
        case failure(DetectorFailure)
        /// Somebody asked to focus on a track that is not live: nothing changed.
        case focusRefused(TrackID)
        /// For the first time a detection was refused or a track evicted, because there are more than the tracker takes.
        case capacityReached(FrameInfo)
        /// A picture without a face has faces that are smaller than the detector's `min_size`. Reported once in a detector's life.
        case facesTooSmall(SmallFaces, FrameInfo)
        /// A picture of a track is whole on disk.
        case picture(SnapshotEvent)
        /// Why detections of a frame were not tracked and why tracks ended in it; only of lanes that explain, and never empty.
        case explanation(Explanation, FrameInfo)
        /// From now on these are the detector's zones.
        case zones([Zone])
        /// The lane's search session has another state.
        case search(SearchStatus, FeatureKind)
        /// Somebody asked the lane's search session for what it cannot do now: nothing changed.
        case searchRefused(String)
    }

    public internal(set) var changes: [TrackChange] = []
    public internal(set) var reports: [Report] = []
    /// The results that the lane took; nil: the input was something else.
    public internal(set) var results: DetectionResults?
    /// The last results before this input.
    var earlierResults: DetectionResults?
    /// What the search session wants done, and only a lane that runs does.
    var searchActions: [SearchAction] = []

    /// The results that a change of a track belongs to. A discontinuity ends tracks with the frame before it.
    public func results(of change: TrackChange) -> DetectionResults? {
        change.phase == .completed(.discontinuity) ? earlierResults ?? results : results ?? earlierResults
    }

    mutating func removeAll() {
        changes.removeAll(keepingCapacity: true)
        reports.removeAll(keepingCapacity: true)
        searchActions.removeAll(keepingCapacity: true)
        results = nil
    }
}

/// Takes what comes of one lane's inputs. Every call comes on the lane's thread.
package protocol LaneOutlet: AnyObject {
    /// The lane is about to take an input. The next output comes of it.
    func laneTakes(_ input: LaneInput)

    /// - Parameter stages: where a frame's time went; to be asked when the tracks' changes have been dealt with.
    func take(_ output: LaneOutput, stages: () -> LaneStages)
}
