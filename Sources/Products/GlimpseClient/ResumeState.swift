// SPDX-License-Identifier: Apache-2.0
/// The reading position of a subscription over all its connections: the resume point, and the lines to skip.
struct ResumeState {
    private let filter: Filter
    private(set) var position: Position?
    /// A `state` line about all tracks follows `hello`. A subscription with a filter skips that line, because it has
    /// requested another one.
    private var skipsState = false

    init(filter: Filter, position: Position?) {
        self.filter = filter
        self.position = position
    }

    /// Prepares the first line of a new connection.
    ///
    /// - Returns: the line to send; nil if none is needed.
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
    /// - Returns: whether the subscriber receives the line.
    mutating func take(_ event: Event) -> Bool {
        switch event.content {
        case .hello(let hello):
            // Without a position to resume from, start here if the connection is lost before the first event.
            if position == nil, hello.nextSequence > 0 {
                position = Position(runID: hello.runID, sequence: hello.nextSequence - 1)
            } else if position?.runID == nil {
                position?.runID = hello.runID
            }
            run = hello.runID
        case .state(let state) where skipsState:
            if !state.hasMore { skipsState = false }
            return false
        // Everything in the journal of the new run follows.
        case .gap(let gap) where gap.reason == "other_run": position = run.map { Position(runID: $0, sequence: 0) }
        default: break
        }
        guard let here = event.position else { return true }
        if let position, position.runID == here.runID, here.sequence <= position.sequence { return false }
        position = here
        return true
    }

    /// The daemon's current run.
    private var run: String?
}
