/// What a subscription has read so far, over all its connections: from where the next one goes on, and which lines are none of its.
struct ResumeState {
    private let filter: Filter
    private(set) var position: Position?
    /// The `state` that follows `hello` is of all tracks; with a filter another one was asked for.
    private var skipsState = false

    init(filter: Filter, position: Position?) {
        self.filter = filter
        self.position = position
    }

    /// There is a new connection.
    ///
    /// - Returns: the line to send; nil: none is needed.
    mutating func connected() -> [UInt8]? {
        skipsState = !filter.isEmpty
        guard position != nil || !filter.isEmpty else { return nil }
        let request = Request(
            subscribe: filter.isEmpty ? nil : filter, after: position?.sequence, runID: position?.runID,
            state: filter.isEmpty ? nil : true)
        return request.line
    }

    /// Takes the next line.
    ///
    /// - Returns: whether it is one for the reader.
    mutating func take(_ event: Event) -> Bool {
        switch event.content {
        case .hello(let hello):
            // Without a place to go on from, this is it: should the connection be lost before the first event.
            if position == nil, hello.nextSequence > 0 {
                position = Position(runID: hello.runID, sequence: hello.nextSequence - 1)
            } else if position?.runID == nil {
                position?.runID = hello.runID
            }
            run = hello.runID
        case .state(let state) where skipsState:
            if !state.hasMore { skipsState = false }
            return false
        // All that the journal of the new run has follows.
        case .gap(let gap) where gap.reason == "other_run": position = run.map { Position(runID: $0, sequence: 0) }
        default: break
        }
        guard let here = event.position else { return true }
        if let position, position.runID == here.runID, here.sequence <= position.sequence { return false }
        position = here
        return true
    }

    /// The run that the daemon is in.
    private var run: String?
}
