// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations
import Search
import Tracking

/// The output for one input of a lane: first the changes of its tracks, then the reports.
public struct LaneOutput: Sendable {
    /// The reports of a lane besides its tracks.
    public enum Report: Sendable, Equatable {
        /// The detector is operational, or cannot work.
        case status(DetectorStatus)
        /// The detector failed on a frame, which loses only this frame. Reported at most once per second; all failures
        /// are counted.
        case failure(DetectorFailure)
        /// A focus request named a track that is not live; nothing changed.
        case focusRefused(TrackID)
        /// A detection was refused or a track evicted for the first time, because the tracker's capacity is reached.
        case capacityReached(FrameInfo)
        /// A picture without a detected face has faces smaller than the detector's `min_size`. Reported once in a
        /// detector's life.
        case facesTooSmall(SmallFaces, FrameInfo)
        /// A picture of a track is completely written.
        case picture(SnapshotEvent)
        /// The reasons why detections of a frame were not tracked, and why tracks ended in it. Only from lanes that
        /// explain; never empty.
        case explanation(Explanation, FrameInfo)
        /// The detector's zones have changed.
        case zones([Zone])
        /// The lines that the detector's tracks cross have changed.
        case lines([CrossingLine])
        /// The state of the lane's search session has changed.
        case search(SearchStatus, FeatureKind)
        /// A request to the lane's search session does not fit its state; nothing changed.
        case searchRefused(String)
    }

    /// The steps of tracks, in reporting order.
    public internal(set) var changes: [TrackChange] = []
    /// The changes of zones, lines and searches, in reporting order.
    public internal(set) var reports: [Report] = []
    /// The results that the lane took; nil for any other input.
    public internal(set) var results: DetectionResults?
    /// The last results before this input.
    var earlierResults: DetectionResults?
    /// The actions of the search session, which only a running lane carries out.
    var searchActions: [SearchAction] = []

    /// The results to which a track change belongs. A discontinuity ends tracks with the frame before it.
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

/// Takes the output of one lane. All calls come on the lane's thread.
package protocol LaneOutlet: AnyObject {
    /// Whether the next output explains its frame, in addition to the plan's `explains`.
    var explains: Bool { get }

    /// - Parameters:
    ///   - input: the input that the output belongs to; nil for a failure, which is no input.
    ///   - stages: the stage times of the frame; call it after the track changes are processed.
    func take(_ output: LaneOutput, of input: LaneInput?, stages: () -> LaneStages)
}

extension LaneOutlet {
    package var explains: Bool { false }
}
