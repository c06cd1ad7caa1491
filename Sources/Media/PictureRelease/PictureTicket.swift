// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Observations
import Synchronization

/// Why a picture may not leave, for people.
package struct PictureWithheld: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}

/// The pending decision about the pictures of one frame. Any thread may use it.
package final class PictureTicket: Sendable {
    enum Decision: Sendable, Equatable {
        /// Every needed detector has looked at the frame; these boxes are covered.
        case cover([Box])
        case withhold(PictureWithheld)
    }

    private struct State {
        var decision: Decision?
        var waiting: [@Sendable (Decision) -> Void] = []
    }

    /// The number of the frame.
    let sequence: UInt64
    private let state = Mutex(State())

    init(_ sequence: UInt64) { self.sequence = sequence }

    /// Whether pictures of the frame may leave; nil while a detector may still look at it.
    package var mayLeave: Bool? {
        state.withLock { state in
            switch state.decision {
            case .cover: true
            case .withhold: false
            case nil: nil
            }
        }
    }

    func decide(_ decision: Decision) {
        let waiting = state.withLock { state in
            guard state.decision == nil else { return [@Sendable (Decision) -> Void]() }
            state.decision = decision
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body(decision) }
    }

    /// - Parameter late: called with the decision, if it is made later, by the thread that makes it.
    /// - Returns: the decision, if it has been made.
    func decision(orLater late: @escaping @Sendable (Decision) -> Void) -> Decision? {
        state.withLock { state in
            if state.decision == nil { state.waiting.append(late) }
            return state.decision
        }
    }

    /// Waits for the decision. For files, where each detector gets each frame.
    ///
    /// - Returns: false if the time is up first.
    @discardableResult
    package func wait(_ limit: DispatchTimeInterval) -> Bool {
        let decided = DispatchSemaphore(value: 0)
        if decision(orLater: { _ in decided.signal() }) != nil { return true }
        return decided.wait(timeout: .now() + limit) == .success
    }
}
