import Dispatch
import Search
import Synchronization

/// What comes for a lane's search session from other threads. Bounded: what is beyond is dropped, and whoever sent it is told.
final class SearchInbox: Sendable {
    /// People and an engine that is asked one thing at a time never come near it.
    static let capacity = 64

    private let waiting = Mutex<[SearchInput]>([])
    private let filled = DispatchSemaphore(value: 0)

    /// - Returns: whether there was room.
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

    /// The next inputs, waited for until a deadline; empty: it has passed.
    func takeAll(until deadline: DispatchTime) -> [SearchInput] {
        while true {
            let inputs = takeAll()
            if !inputs.isEmpty { return inputs }
            // Signals of what was taken before count for nothing.
            if filled.wait(timeout: deadline) == .timedOut { return takeAll() }
        }
    }
}
