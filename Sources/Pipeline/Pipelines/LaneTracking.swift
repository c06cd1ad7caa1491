import Observations
import Search
import Tracking

/// What a lane does behind its detector: track, explain, report. Live and in a replay it is the same code, and it has no clock but the
/// inputs' own.
package struct LaneTracking {
    private let name: String
    private let delegate: any MultiDetectorDelegate
    private(set) var processor: TrackProcessor
    private var isCapacityTold = false
    /// See `LaneCounts.smallFaces`.
    private(set) var smallFaces: SmallFaces?
    private var search: SearchSession?
    private let searchKind: FeatureKind
    /// What the session wants done, and only a lane that runs does.
    private var effects: [SearchAction] = []

    package init(_ plan: LanePlan, delegate: any MultiDetectorDelegate) {
        name = plan.detector
        self.delegate = delegate
        search = plan.search.map { SearchSession($0.configuration, pipeline: $0.pipeline, detector: plan.detector) }
        searchKind = plan.search?.configuration.kind ?? .object
        let name = name
        processor = TrackProcessor(
            plan.tracking, focus: plan.focus, firstID: plan.firstTrack, explains: plan.explains
        ) { track in
            delegate.tracker(for: track, from: name)
        }
        if !plan.zones.isEmpty { delegate.zonesChanged(plan.zones, of: name) }
    }

    /// Whether a search session is started.
    var searches: Bool { search.map { $0.state != .notStarted } ?? false }

    /// The region whose quality the search session wants to know, in the frame that was taken last.
    mutating func regionToMeasure() -> Box? { search?.regionToMeasure() }

    /// What the search session wants done since the last call.
    mutating func takeEffects() -> [SearchAction] {
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    /// What the last results changed.
    var changes: [TrackChange] { processor.changes }
    /// See `TrackProcessor.focusBox`.
    var focusBox: Box? { processor.focusBox }

    /// See `TrackProcessor.predicted`.
    func predicted(at frame: FrameInfo) -> [TrackHint] { processor.predicted(at: frame) }

    /// - Parameter stages: where the frame's time went, asked when the trackers are done with it.
    package mutating func take(_ input: LaneInput, stages: () -> LaneStages = { LaneStages() }) {
        delegate.laneTakes(input, of: name)
        switch input {
        case .status(let status): delegate.statusChanged(status)
        case .results(let results, let withheld):
            processor.receive(results)
            explain(results, withheld)
            // Of a repetition nothing is known but that it came.
            if processor.isRepetition {
                follow(search?.pass(results.frame))
            } else if search != nil {
                follow(search?.receive(processor.liveTracks, frame: results.frame))
            }
            delegate.finished(results, stages: stages())
        case .failed(let frame):
            follow(search?.pass(frame))
            delegate.settled(name)
        case .search(let input):
            follow(search?.take(input))
            delegate.settled(name)
        case .focus(let id):
            if !processor.requestFocus(on: id), let id { delegate.focusRefused(id, by: name) }
        // How often the detector runs is decided in front of it.
        case .rules(let tracking, maximumRate: _): processor.configure(tracking)
        case .zones(let zones): delegate.zonesChanged(zones, of: name)
        case .pictured(let picture): delegate.pictured(picture)
        case .complete(let reason):
            processor.completeAll(reason)
            follow(search?.end())
        }
    }

    private mutating func follow(_ actions: [SearchAction]?) {
        for action in actions ?? [] {
            switch action {
            case .tell(let status): delegate.searchChanged(status, of: name, kind: searchKind)
            case .refuse(let reason): delegate.searchRefused(reason, by: name)
            case .begin, .cancel: effects.append(action)
            }
        }
    }

    private mutating func explain(_ results: DetectionResults, _ withheld: [Explanation.Untracked]) {
        if !isCapacityTold, processor.tracker.refusedDetections > 0 || processor.tracker.evictedTracks > 0 {
            isCapacityTold = true
            delegate.capacityReached(by: name, frame: results.frame)
        }
        if let small = SmallFaces(withheld, frame: results.frame) {
            smallFaces = small
            delegate.facesTooSmall(small, for: name, frame: results.frame)
        }
        guard var explanation = processor.explanation else { return }
        for entry in withheld { explanation.add(entry) }
        if !explanation.isEmpty { delegate.explained(explanation, in: results) }
    }
}
