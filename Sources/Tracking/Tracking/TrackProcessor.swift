// SPDX-License-Identifier: Apache-2.0
import Observations

/// Gives each reported feature its own tracker object (Mobile Vision's `MultiProcessor`, and with a focus its
/// `FocusingProcessor`). Confined to one thread.
public struct TrackProcessor {
    /// Makes the tracker of a new feature; nil: nobody is interested in it.
    public typealias Factory = (_ track: Track) -> (any FeatureTracker)?

    /// Counts what its limits kept out.
    public private(set) var tracker: Tracker
    private let makeTracker: Factory
    private var trackers = FeatureTrackers()
    private var lastResults: DetectionResults?
    /// The changes of the last results. Kept from frame to frame, so that no frame allocates.
    private var changes: [TrackChange] = []

    /// - Parameters:
    ///   - focus: which feature is reported; `.none`: every one.
    ///   - explains: whether `explanation` is filled.
    public init(
        _ configuration: TrackerConfiguration, focus: FocusPolicy = .none, firstID: TrackID = TrackID(1),
        explains: Bool = false, makeTracker: @escaping Factory
    ) {
        tracker = Tracker(configuration, focus: focus, firstID: firstID, explains: explains)
        self.makeTracker = makeTracker
    }

    /// The box of the feature in focus, for detectors that can look there only; nil without one and while it is
    /// missing.
    public var focusBox: Box? { tracker.focusBox }

    /// Why detections of the last frame were not tracked and why tracks ended in it; nil: nobody asked.
    public var explanation: Explanation? { tracker.explanation }

    /// Where the live tracks should be in a frame that the detector has not seen yet (see `Tracker.predicted`).
    public func predicted(at frame: FrameInfo) -> [TrackHint] { tracker.predicted(at: frame) }

    /// Puts the focus on a live track, or gives it back to the policy (see `Tracker.requestFocus`); false: there is no
    /// such track.
    public mutating func requestFocus(on id: TrackID?) -> Bool {
        tracker.requestFocus(on: id)
    }

    /// Goes on with other rules from the next frame on (see `Tracker.configure`).
    public mutating func configure(_ configuration: TrackerConfiguration) {
        tracker.configure(configuration)
    }

    /// Takes one frame's results and calls the trackers.
    public mutating func receive(_ results: DetectionResults) {
        tracker.process(results.detections, frame: results.frame, into: &changes)
        for change in changes {
            // Tracks that a discontinuity ends have ended with the frame before this one.
            let isEarlier = change.phase == .completed(.discontinuity)
            trackers.deliver(change, in: isEarlier ? lastResults ?? results : results, make: makeTracker)
        }
        lastResults = results
    }

    /// Ends every track. Calls may follow: a source that comes back starts anew.
    public mutating func completeAll(_ reason: CompletionReason) {
        guard let lastResults else { return }
        for change in tracker.completeAll(reason) {
            trackers.deliver(change, in: lastResults, make: makeTracker)
        }
    }
}
