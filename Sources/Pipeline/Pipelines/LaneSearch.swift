// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Frames
import Search

/// The work of a lane's thread for its search session: measuring, asking the engine, and waiting if the run must be
/// reproducible.
struct LaneSearch {
    private let inbox: SearchInbox
    private let performer: (any SearchPerformer)?
    private let delivery: MultiDetector.Delivery
    private let timeout: Int64
    /// The session's actions that are not carried out yet.
    private var actions: [SearchAction] = []

    init?(_ configuration: LaneConfiguration, inbox: SearchInbox, delivery: MultiDetector.Delivery) {
        guard let plan = configuration.plan.search else { return nil }
        self.inbox = inbox
        self.delivery = delivery
        performer = configuration.searchPerformer
        timeout = plan.configuration.timeout
    }

    /// Takes commands that arrived while the session was not running, so that the session reports no state for the
    /// length of a frame.
    mutating func begin(_ lane: inout ReportingLane) {
        guard !lane.tracking.searches else { return }
        for input in inbox.takeAll() { take(input, &lane) }
    }

    /// Adds the actions from an input that the lane has taken.
    mutating func add(_ actions: [SearchAction]) { self.actions.append(contentsOf: actions) }

    private mutating func take(_ input: SearchInput, _ lane: inout ReportingLane) {
        lane.take(.search(input))
        add(lane.output.searchActions)
    }

    /// Carries out all actions that follow from a frame taken by the session.
    mutating func finish(_ frame: Frame, _ lane: inout ReportingLane) {
        perform(frame, &lane)
        for input in inbox.takeAll() {
            take(input, &lane)
            perform(frame, &lane)
        }
        if let region = lane.regionToMeasure(), let quality = FrameView(frame, box: region).measuredQuality() {
            take(.quality(quality), &lane)
        }
    }

    /// Cancels the current search without a frame.
    mutating func cancel() {
        for action in takeActions() {
            if case .cancel(let query) = action { performer?.cancel(query) }
        }
    }

    private mutating func takeActions() -> [SearchAction] {
        defer { actions = [] }
        return actions
    }

    private mutating func perform(_ frame: Frame, _ lane: inout ReportingLane) {
        while !actions.isEmpty {
            for action in takeActions() {
                switch action {
                case .begin(let query): begin(query, frame, &lane)
                case .cancel(let query): performer?.cancel(query)
                case .tell, .refuse: break
                }
            }
        }
    }

    private mutating func begin(_ query: SearchQuery, _ frame: Frame, _ lane: inout ReportingLane) {
        guard let performer else { return }
        // A crop of an earlier moment cannot be made from this frame.
        let picture = query.crop == nil && query.frame == frame.info ? frame : nil
        performer.begin(query, in: picture) { [inbox] in inbox.put(.report($0)) }
        // A file waits for the engine, so that every run gives equal lines.
        guard delivery == .every, performer.answers else { return }
        let deadline = DispatchTime.now() + .nanoseconds(Int(timeout))
        while true {
            let inputs = inbox.takeAll(until: deadline)
            for input in inputs { take(input, &lane) }
            if inputs.contains(where: { $0.isAnswer(to: query.id) }) { return }
            guard inputs.isEmpty else { continue }
            performer.cancel(query.id)
            let failure = SearchFailure(.timeout, retryable: true, message: "no answer in time")
            return take(.report(.answered(query: query.id, .failed(failure))), &lane)
        }
    }
}

extension SearchInput {
    fileprivate func isAnswer(to query: String) -> Bool {
        if case .report(.answered(query, _)) = self { true } else { false }
    }
}
