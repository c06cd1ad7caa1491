// SPDX-License-Identifier: Apache-2.0
import Observations
import Search
import Tracking

/// The work of a lane behind its detector: tracking, explanations and search. A live run and a replay share this code;
/// its only clock is the time of the inputs.
struct LaneTracking {
    private(set) var tracker: Tracker
    private var lastResults: DetectionResults?
    private var isCapacityReported = false
    /// The newest faces that `min_size` kept out of a picture without others; nil: none.
    private var smallFaces: SmallFaces?
    /// The gate's latest opening, and the presentation time of its frame.
    private var opening: (gate: GateOpening, time: Int64)?
    private var search: SearchSession?
    private let searchKind: FeatureKind

    init(_ plan: LanePlan) {
        search = plan.search.map { SearchSession($0.configuration, pipeline: $0.pipeline, detector: plan.detector) }
        searchKind = plan.search?.configuration.kind ?? .object
        tracker = Tracker(plan.tracking, focus: plan.focus, firstID: plan.firstTrack, explains: plan.explains)
    }

    /// Whether the output of each frame explains it.
    var explains: Bool {
        get { tracker.explains }
        set { tracker.explains = newValue }
    }

    /// Whether a search session is active.
    var searches: Bool { search.map { $0.state != .notStarted } ?? false }

    /// The region whose quality the search session requests, in the last frame taken.
    mutating func regionToMeasure() -> Box? { search?.regionToMeasure() }

    /// See `Tracker.focusBox`.
    var focusBox: Box? { tracker.focusBox }

    /// See `Tracker.predicted`.
    func predicted(at frame: FrameInfo) -> [TrackHint] { tracker.predicted(at: frame) }

    /// Sets the metrics that tracking counts.
    func report(to metrics: inout MetricValues<LaneMetric>) {
        metrics[.refusedDetections] = UInt64(tracker.refusedDetections)
        metrics[.evictedTracks] = UInt64(tracker.evictedTracks)
        metrics[.smallFaces] = UInt64(smallFaces?.count ?? 0)
        metrics[.smallFacesMinSize] = UInt64(smallFaces?.thousandths ?? 0)
    }

    /// - Parameter output: its previous contents are removed.
    mutating func take(_ input: LaneInput, into output: inout LaneOutput) {
        output.removeAll()
        output.earlierResults = lastResults
        switch input {
        case .status(let status): output.reports.append(.status(status))
        case .results(let results, let withheld): take(results, withheld, into: &output)
        case .opened(let gate, let frame): opening = (gate, frame.presentationTime)
        case .unchanged(let frame): hold(frame, into: &output)
        case .failed(let frame): follow(search?.pass(frame), into: &output)
        case .search(let input): follow(search?.take(input), into: &output)
        case .focus(let id):
            if !tracker.requestFocus(on: id), let id { output.reports.append(.focusRefused(id)) }
        // The rate is applied before the detector.
        case .rules(let tracking, maximumRate: _): tracker.configure(tracking)
        case .zones(let zones): output.reports.append(.zones(zones))
        case .lines(let lines): output.reports.append(.lines(lines))
        case .pictured(let picture): output.reports.append(.picture(picture))
        case .complete(let reason):
            if lastResults != nil { output.changes = tracker.completeAll(reason) }
            follow(search?.end(), into: &output)
        }
    }

    /// Whether a frame without changes may become the input `unchanged`.
    func canHold(_ frame: FrameInfo) -> Bool { lastResults?.detectorIsOperational == true && tracker.canHold(frame) }

    /// See `Tracker.isSettled`.
    var isSettled: Bool { lastResults?.detectorIsOperational == true && tracker.isSettled }

    private mutating func hold(_ frame: FrameInfo, into output: inout LaneOutput) {
        guard var results = lastResults, canHold(frame) else { return follow(search?.pass(frame), into: &output) }
        tracker.hold(frame, into: &output.changes)
        results.frame = frame
        results.isReused = true
        lastResults = results
        output.results = results
        if search != nil { follow(search?.receive(output.liveTracks, frame: frame), into: &output) }
    }

    private mutating func take(
        _ results: DetectionResults, _ withheld: [Explanation.Untracked], into output: inout LaneOutput
    ) {
        tracker.process(results.detections, frame: results.frame, into: &output.changes)
        lastResults = results
        output.results = results
        explain(results.frame, withheld, into: &output)
        // A repeated frame carries no information.
        if tracker.isRepetition {
            follow(search?.pass(results.frame), into: &output)
        } else if search != nil {
            follow(search?.receive(output.liveTracks, frame: results.frame), into: &output)
        }
    }

    private func follow(_ actions: [SearchAction]?, into output: inout LaneOutput) {
        for action in actions ?? [] {
            switch action {
            case .tell(let status): output.reports.append(.search(status, searchKind))
            case .refuse(let reason): output.reports.append(.searchRefused(reason))
            case .begin, .cancel: output.searchActions.append(action)
            }
        }
    }

    private mutating func explain(
        _ frame: FrameInfo, _ withheld: [Explanation.Untracked], into output: inout LaneOutput
    ) {
        if !isCapacityReported, tracker.refusedDetections > 0 || tracker.evictedTracks > 0 {
            isCapacityReported = true
            output.reports.append(.capacityReached(frame))
        }
        if let small = SmallFaces(withheld, frame: frame) {
            smallFaces = small
            output.reports.append(.facesTooSmall(small, frame))
        }
        guard var explanation = tracker.explanation else { return }
        for entry in withheld { explanation.add(entry) }
        if let opening, opening.time == frame.presentationTime { explanation.gate = opening.gate }
        if !explanation.isEmpty { output.reports.append(.explanation(explanation, frame)) }
    }
}

extension LaneOutput {
    /// The live tracks after a frame in ascending order of ids; missing tracks have predicted boxes.
    fileprivate var liveTracks: [Track] {
        changes.compactMap { change in
            switch change.phase {
            case .update, .missing: change.track
            case .detected, .completed: nil
            }
        }.sorted { $0.id < $1.id }
    }
}
