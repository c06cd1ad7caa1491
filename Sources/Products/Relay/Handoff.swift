// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// Wakes a thread that waits in poll(2).
package final class Wake: Sendable {
    /// Readable after a signal.
    package let descriptor: Int32
    private let input: Int32

    package init() {
        var pair: [Int32] = [-1, -1]
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        socketpair(AF_UNIX, Int32(type), 0, &pair)
        (descriptor, input) = (pair[0], pair[1])
    }

    deinit {
        close(descriptor)
        close(input)
    }

    /// Any thread. A full socket has a signal already.
    package func signal() { write(input, [1], 1) }

    /// Waits for a signal, for at most `limit`, and forgets all signals.
    package func wait(_ limit: Duration) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = (max(.zero, limit) / .milliseconds(1)).rounded(.up)
        if poll(&waiting, 1, Int32(clamping: Int64(milliseconds))) > 0 { reset() }
    }

    /// Forgets all signals.
    package func reset() {
        var bytes = [UInt8](repeating: 0, count: 512)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}

/// A bounded queue from one task to one thread. The task waits while the queue is full, so nothing is dropped.
package final class Handoff<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiting: CheckedContinuation<Void, Never>?
        var isClosed = false
    }

    private let limit: Int
    private let wake: Wake
    private let state = Mutex(State())

    package init(limit: Int, wake: Wake) {
        self.limit = limit
        self.wake = wake
    }

    package var count: Int { state.withLock { $0.elements.count } }
    package var isFull: Bool { count >= limit }

    /// - Returns: false if the queue is closed.
    package func send(_ element: Element) async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isReady = state.withLock { state in
                if state.isClosed || state.elements.count < limit { return true }
                state.waiting = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        let (isOpen, isFirst) = state.withLock { state in
            defer { if !state.isClosed { state.elements.append(element) } }
            return (!state.isClosed, state.elements.isEmpty)
        }
        // The thread that leaves elements here comes again by itself.
        if isFirst { wake.signal() }
        return isOpen
    }

    /// Takes everything that waits, oldest first, up to `most`.
    package func take(_ most: Int = .max) -> [Element] {
        guard most > 0 else { return [] }
        let (elements, waiting): ([Element], CheckedContinuation<Void, Never>?) = state.withLock { state in
            var elements: [Element] = []
            if state.elements.count <= most {
                // A copy of all shares the array, so the removal would make another one of the same capacity.
                swap(&elements, &state.elements)
            } else {
                elements = Array(state.elements[..<most])
                state.elements.removeFirst(most)
            }
            guard !elements.isEmpty else { return (elements, nil) }
            defer { state.waiting = nil }
            return (elements, state.waiting)
        }
        waiting?.resume()
        return elements
    }

    package func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            state.elements = []
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
