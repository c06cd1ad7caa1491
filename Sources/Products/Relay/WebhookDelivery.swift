// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import Settings

/// The work of a webhook's thread: one request after the other, each with the oldest events that wait.
final class WebhookDelivery {
    /// The longest wait for something to do.
    private static let tick = Duration.seconds(1)

    private let settings: WebhookSettings
    private let destination: Destination
    private let queue: EventQueue
    private let request: WebhookRequest
    private var backOff = BackOffDelays()
    /// The time since which an event waits; nil: none waits.
    private var waitingSince: ContinuousClock.Instant?

    init(_ settings: WebhookSettings, _ destination: Destination) {
        self.settings = settings
        self.destination = destination
        queue = EventQueue(destination, .lines, limit: settings.batch)
        request = WebhookRequest(settings) { destination.isStopping }
        destination.update { $0.isConnected = true }
    }

    func run() {
        while !destination.isStopping {
            queue.fill()
            queue.storeCursorIfDue(.now)
            let wait = timeToNextRequest(.now)
            if wait > .zero { destination.wake.wait(min(wait, Self.tick)) } else { deliver(nextBatch()) }
        }
        queue.stop()
    }

    // MARK: Batches

    private func timeToNextRequest(_ now: ContinuousClock.Instant) -> Duration {
        guard queue.count > 0 else {
            waitingSince = nil
            return Self.tick
        }
        let since = waitingSince ?? now
        waitingSince = since
        return queue.count == queue.limit ? .zero : since + settings.batchWait - now
    }

    private func nextBatch() -> WebhookBatch {
        var batch = WebhookBatch()
        while !batch.isFull, let (ticket, message) = queue.next() { batch.append(message.payload, ticket: ticket) }
        return batch
    }

    // MARK: Requests

    /// Repeats a request until it succeeds, its time is over, or the relay stops. Its events are not lost by a stop,
    /// because the cursor has not moved.
    private func deliver(_ batch: WebhookBatch) {
        let deadline = ContinuousClock.now + settings.retryFor
        while true {
            do throws(WebhookFailure) {
                try request.post(batch.body)
                succeeded(batch)
                break
            } catch {
                guard !destination.isStopping else { return }
                failed(error)
                guard ContinuousClock.now < deadline else {
                    skipped(batch, error)
                    break
                }
                pause(min(backOff.next(), deadline - .now))
                guard !destination.isStopping else { return }
            }
        }
        // The last ticket of a row lets all its events go at once.
        for ticket in batch.tickets.reversed() { queue.finished(ticket) }
        // A write for each request, which costs less than the request, so that a crash repeats one request at most.
        queue.storeCursor()
    }

    private func succeeded(_ batch: WebhookBatch) {
        backOff.reset()
        let before = destination.status
        if before.address == nil || !before.isConnected {
            destination.context.log(.notice, "\(settings.name): \(settings.address) takes events")
        }
        destination.connected(to: settings.address.origin)
        destination.update { $0.sent += UInt64(batch.tickets.count) }
    }

    private func failed(_ failure: WebhookFailure) {
        destination.complain("\(settings.address): \(failure)")
        destination.update { state in (state.isConnected, state.address) = (false, settings.address.origin) }
    }

    private func skipped(_ batch: WebhookBatch, _ failure: WebhookFailure) {
        let count = batch.tickets.count
        destination.update { $0.skipped += UInt64(count) }
        destination.context.log(
            .warning, "\(settings.name): skipped \(count) events after retry_for: \(failure)")
    }

    /// Waits before the next attempt. Events come meanwhile, so that a new destination has its cursor.
    private func pause(_ duration: Duration) {
        let deadline = ContinuousClock.now + duration
        while !destination.isStopping, ContinuousClock.now < deadline {
            queue.fill()
            queue.storeCursorIfDue(.now)
            destination.wake.wait(deadline - .now)
        }
    }
}
