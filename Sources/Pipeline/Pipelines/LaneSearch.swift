import Dispatch
import Frames
import Search

/// What a lane's thread does for its search session: measure, ask, wait where nothing may be lost.
struct LaneSearch {
    private let inbox: SearchInbox
    private let performer: (any SearchPerformer)?
    /// Files: the engine is waited for, so that the same file gives the same lines.
    private let waits: Bool
    private let timeout: Int64

    init?(_ configuration: LaneConfiguration, inbox: SearchInbox, waits: Bool) {
        guard let plan = configuration.search else { return nil }
        self.inbox = inbox
        self.waits = waits
        performer = configuration.searchPerformer
        timeout = plan.configuration.timeout
    }

    /// Commands that came while the session was not running, so that none of its states is told for a frame's length.
    func begin(_ tracking: inout LaneTracking) {
        guard !tracking.searches else { return }
        for input in inbox.takeAll() { tracking.take(.search(input)) }
    }

    /// Everything that comes of a frame which the session has taken.
    func finish(_ frame: Frame, _ tracking: inout LaneTracking) {
        perform(frame, &tracking)
        for input in inbox.takeAll() {
            tracking.take(.search(input))
            perform(frame, &tracking)
        }
        if let region = tracking.regionToMeasure(), let quality = FrameView(frame, box: region).measuredQuality() {
            tracking.take(.search(.quality(quality)))
        }
    }

    /// Ends what is under way without a frame.
    func cancel(_ tracking: inout LaneTracking) {
        for action in tracking.takeEffects() {
            if case .cancel(let query) = action { performer?.cancel(query) }
        }
    }

    private func perform(_ frame: Frame, _ tracking: inout LaneTracking) {
        var actions = tracking.takeEffects()
        while !actions.isEmpty {
            for action in actions {
                switch action {
                case .begin(let query): begin(query, frame, &tracking)
                case .cancel(let query): performer?.cancel(query)
                case .tell, .refuse: break
                }
            }
            actions = tracking.takeEffects()
        }
    }

    private func begin(_ query: SearchQuery, _ frame: Frame, _ tracking: inout LaneTracking) {
        guard let performer else { return }
        // An earlier moment's picture cannot be made of this frame.
        let picture = query.crop == nil && query.frame == frame.info ? frame : nil
        performer.begin(query, in: picture) { [inbox] in inbox.put(.report($0)) }
        guard waits, performer.answers else { return }
        let deadline = DispatchTime.now() + .nanoseconds(Int(timeout))
        while true {
            let inputs = inbox.takeAll(until: deadline)
            for input in inputs { tracking.take(.search(input)) }
            if inputs.contains(where: { $0.isAnswer(to: query.id) }) { return }
            guard inputs.isEmpty else { continue }
            performer.cancel(query.id)
            let failure = SearchFailure(.timeout, retryable: true, message: "no answer in time")
            return tracking.take(.search(.report(.answered(query: query.id, .failed(failure)))))
        }
    }
}

extension SearchInput {
    fileprivate func isAnswer(to query: String) -> Bool {
        if case .report(.answered(query, _)) = self { true } else { false }
    }
}
