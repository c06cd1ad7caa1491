import Observations

/// Gives each feature in view its own tracker object (Mobile Vision's `MultiProcessor`, and with a focus its
/// `FocusingProcessor`). Confined to one thread.
public struct TrackProcessor {
    /// Makes the tracker of a new feature; nil: nobody is interested in it.
    public typealias Factory = (_ track: Track) -> (any FeatureTracker)?

    private var tracker: Tracker
    private var focus: FocusSelector?
    private let makeTracker: Factory
    private var trackers: [TrackID: any FeatureTracker] = [:]
    private var lastResults: DetectionResults?
    /// Kept from frame to frame, so that none allocates.
    private var changes: [TrackChange] = []

    public init(
        _ configuration: TrackerConfiguration, focus: FocusPolicy = .none, firstID: TrackID = TrackID(1),
        makeTracker: @escaping Factory
    ) {
        tracker = Tracker(configuration, firstID: firstID)
        self.focus = focus == .none ? nil : FocusSelector(focus)
        self.makeTracker = makeTracker
    }

    /// The box of the feature in focus, for detectors that can look there only; nil without one.
    public var focusBox: Box? { focus?.box }

    /// Detections that a limit kept out (see `Tracker.refusedDetections`).
    public var refusedDetections: Int { tracker.refusedDetections }

    /// Where the live tracks should be in a frame that the detector has not seen yet (see `Tracker.predicted`).
    public func predicted(at frame: FrameInfo) -> [TrackHint] { tracker.predicted(at: frame) }

    /// Takes one frame's results and calls the trackers.
    public mutating func receive(_ results: DetectionResults) {
        tracker.process(results.detections, frame: results.frame, into: &changes)
        if let last = lastResults, changes.first?.isDiscontinuity == true {
            // Those tracks ended with the frame before this one.
            deliver(changes.prefix { $0.isDiscontinuity }, in: last)
            deliver(changes.drop { $0.isDiscontinuity }, in: results)
        } else {
            deliver(changes[...], in: results)
        }
        lastResults = results
    }

    /// Ends every track. Calls may follow: a source that comes back starts anew.
    public mutating func completeAll(_ reason: CompletionReason) {
        guard let lastResults else { return }
        deliver(tracker.completeAll(reason)[...], in: lastResults)
    }

    private mutating func deliver(_ changes: ArraySlice<TrackChange>, in results: DetectionResults) {
        for change in focus?.select(from: changes, frame: results.frame)[...] ?? changes {
            let id = change.track.id
            switch change.phase {
            case .detected:
                trackers[id] = makeTracker(change.track)
                trackers[id]?.detected(change.track, in: results)
            case .update: trackers[id]?.update(change.track, in: results)
            case .missing: trackers[id]?.missing(change.track, in: results)
            case .completed(let reason):
                trackers.removeValue(forKey: id)?.completed(change.track, reason: reason, in: results)
            }
        }
    }
}

extension TrackChange {
    fileprivate var isDiscontinuity: Bool { phase == .completed(.discontinuity) }
}
