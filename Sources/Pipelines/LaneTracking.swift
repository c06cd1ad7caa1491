import Observations
import Tracking

/// What a lane does behind its detector: track, explain, report. Live and in a replay it is the same code, and it has no clock but the
/// inputs' own.
package struct LaneTracking {
    private let name: String
    private let delegate: any MultiDetectorDelegate
    private var processor: TrackProcessor
    private var isCapacityTold = false

    package init(_ plan: LanePlan, delegate: any MultiDetectorDelegate) {
        name = plan.detector
        self.delegate = delegate
        let name = name
        processor = TrackProcessor(
            plan.tracking, focus: plan.focus, firstID: plan.firstTrack, explains: plan.explains
        ) { track in
            delegate.tracker(for: track, from: name)
        }
    }

    package var refusedDetections: Int { processor.refusedDetections }
    package var evictedTracks: Int { processor.evictedTracks }
    /// What the last results changed.
    var changes: [TrackChange] { processor.changes }
    /// See `TrackProcessor.focusBox`.
    var focusBox: Box? { processor.focusBox }

    /// See `TrackProcessor.predicted`.
    func predicted(at frame: FrameInfo) -> [TrackHint] { processor.predicted(at: frame) }

    /// Goes on with other rules from the next frame on. No input of a tape: a run that is recorded has nobody who could change it.
    mutating func configure(_ tracking: TrackerConfiguration) { processor.configure(tracking) }

    /// - Parameter stages: where the frame's time went, asked when the trackers are done with it.
    package mutating func take(_ input: LaneInput, stages: () -> LaneStages = { LaneStages() }) {
        delegate.laneTakes(input, of: name)
        switch input {
        case .status(let status): delegate.statusChanged(status)
        case .results(let results, let withheld):
            processor.receive(results)
            explain(results, withheld)
            delegate.finished(results, stages: stages())
        case .failed: break
        case .focus(let id):
            if !processor.requestFocus(on: id), let id { delegate.focusRefused(id, by: name) }
        case .pictured(let picture): delegate.pictured(picture)
        case .complete(let reason): processor.completeAll(reason)
        }
    }

    private mutating func explain(_ results: DetectionResults, _ withheld: [Explanation.Untracked]) {
        if !isCapacityTold, refusedDetections > 0 || evictedTracks > 0 {
            isCapacityTold = true
            delegate.capacityReached(by: name, frame: results.frame)
        }
        guard var explanation = processor.explanation else { return }
        for entry in withheld { explanation.add(entry) }
        if !explanation.isEmpty { delegate.explained(explanation, in: results) }
    }
}
