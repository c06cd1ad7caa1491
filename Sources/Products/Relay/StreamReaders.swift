// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

/// Reads the events after the cursor, and waits while the destination does not take them.
final class DurableReader {
    /// The events that were received.
    let queue: Handoff<Event>
    private let task: Task<Void, Never>
    /// The last position taken; nil before the first.
    var position: Position?

    init(_ destination: Destination, after position: Position?) {
        self.position = position
        let queue = Handoff<Event>(limit: 256, wake: destination.wake)
        self.queue = queue
        var subscription = Subscription(
            socket: destination.context.events, filter: destination.selection.filter, after: position)
        subscription.readsHeadsOnly = true
        task = Task {
            while !Task.isCancelled {
                for await event in subscription {
                    if let position = event.position { subscription.position = position }
                    guard await queue.send(event) else { return }
                }
                // Only a refused request ends the subscription. Another daemon may accept it.
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }

    func stop() {
        task.cancel()
        queue.close()
    }
}

/// Reads the present state of all pipelines and what follows. Each of its connections begins with `hello` and `state`.
final class LiveReader {
    private let handoff: Handoff<Event>
    private let task: Task<Void, Never>

    init(_ destination: Destination) {
        let handoff = Handoff<Event>(limit: 1024, wake: destination.wake)
        self.handoff = handoff
        let subscription = Subscription(
            socket: destination.context.events, filter: destination.selection.filter, reconnects: false)
        task = Task {
            var delays = LiveDelays()
            while !Task.isCancelled {
                for await event in subscription {
                    if case .hello = event.content { delays = LiveDelays() }
                    guard await handoff.send(event) else { return }
                }
                try? await Task.sleep(for: delays.next())
            }
        }
    }

    func take() -> [Event] { handoff.take() }

    func stop() {
        task.cancel()
        handoff.close()
    }
}

/// The delays between connections to the daemon: from 100 ms to 2 s.
private struct LiveDelays {
    private var delay = Duration.milliseconds(100)

    mutating func next() -> Duration {
        defer { delay = min(delay * 2, .seconds(2)) }
        return delay
    }
}
