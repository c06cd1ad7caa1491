// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// A mailbox for one element between two threads. A new element replaces a waiting one, which is counted as dropped.
///
/// One element in flight and one pending is the flow limit that MediaPipe recommends for live input. Its source says:
/// "max_in_flight 1 and max_in_queue 1 generally gives best throughput/latency balance"
/// (`flow_limiter_calculator.cc`). The lock covers two assignments.
final class LatestSlot<Element: Sendable>: Sendable {
    private struct State {
        var element: Element?
        var isClosed = false
        var dropped = 0
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)

    /// The number of elements replaced before they were taken.
    var dropped: Int { state.withLock(\.dropped) }

    /// Puts an element, and replaces a waiting one. Does nothing after `close`.
    func put(_ element: Element) {
        let wasEmpty = state.withLock { state in
            guard !state.isClosed else { return false }
            let wasEmpty = state.element == nil
            if !wasEmpty { state.dropped += 1 }
            state.element = element
            return wasEmpty
        }
        if wasEmpty { filled.signal() }
    }

    /// Refuses further elements: `take` returns the pending element, then nil.
    func close() {
        let wasOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if wasOpen { filled.signal() }
    }

    /// Waits for an element; nil if the slot is closed and empty.
    func take() -> Element? {
        while true {
            filled.wait()
            let (element, isClosed) = state.withLock { state in
                defer { state.element = nil }
                return (state.element, state.isClosed)
            }
            if let element {
                // Restores the signal of `close`, so that the next call returns at once.
                if isClosed { filled.signal() }
                return element
            }
            if isClosed {
                filled.signal()
                return nil
            }
        }
    }
}
