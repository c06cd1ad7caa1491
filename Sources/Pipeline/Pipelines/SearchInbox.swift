// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Search
import Synchronization

/// The inputs for a lane's search session from other threads. The number is bounded; further inputs are dropped, and
/// `put` reports this to the sender.
final class SearchInbox: Sendable {
    /// The capacity is far above the inputs of people and of an engine with one search at a time.
    static let capacity = 64

    private let waiting = Mutex<[SearchInput]>([])
    private let filled = DispatchSemaphore(value: 0)

    /// - Returns: whether the inbox had room.
    @discardableResult
    func put(_ input: SearchInput) -> Bool {
        let hasRoom = waiting.withLock { waiting in
            guard waiting.count < Self.capacity else { return false }
            waiting.append(input)
            return true
        }
        if hasRoom { filled.signal() }
        return hasRoom
    }

    func takeAll() -> [SearchInput] {
        waiting.withLock { waiting in
            defer { waiting.removeAll(keepingCapacity: true) }
            return waiting
        }
    }

    /// The next inputs, waiting until a deadline; empty if the deadline has passed.
    func takeAll(until deadline: DispatchTime) -> [SearchInput] {
        while true {
            let inputs = takeAll()
            if !inputs.isEmpty { return inputs }
            // Signals of inputs already taken cause another turn of the loop.
            if filled.wait(timeout: deadline) == .timedOut { return takeAll() }
        }
    }
}
