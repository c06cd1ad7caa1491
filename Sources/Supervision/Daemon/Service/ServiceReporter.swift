// SPDX-License-Identifier: Apache-2.0
import Glibc
import NIOCore
import ServiceManager

/// Reports the daemon's state to the service manager: readiness, a status line, reloads and the end. It also notifies
/// the watchdog.
///
/// It belongs to the daemon's event loop. The watchdog is notified only from there, so a stuck loop counts as a dead
/// daemon.
final class ServiceReporter {
    private static let interval = TimeAmount.milliseconds(250)

    private let socket: NotifySocket
    private let eventLoop: any EventLoop
    private let summary: () -> ServiceSummary
    private var readiness = Readiness(at: .now)
    private var told = ""
    private var ticks: [RepeatedTask] = []

    /// - Parameters:
    ///   - watchdog: the watchdog's limit; nil without a watchdog.
    ///   - summary: the current state of the daemon; called on the event loop.
    /// - Returns: nil without a service manager.
    init?(watchdog: Duration?, socket: NotifySocket?, eventLoop: any EventLoop, summary: @escaping () -> ServiceSummary)
    {
        guard let socket else { return nil }
        self.socket = socket
        self.eventLoop = eventLoop
        self.summary = summary
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        ticks.append(
            eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.interval) { _ in bound.value.look() })
        if let watchdog {
            // sd_watchdog_enabled(3) recommends half of the limit; a third leaves room for a busy machine.
            let interval = TimeAmount.nanoseconds(Int64(watchdog / .nanoseconds(1)) / 3)
            ticks.append(
                eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: interval) { _ in
                    bound.value.socket.send(.watchdog)
                })
        }
    }

    func reloadBegan() {
        eventLoop.preconditionInEventLoop()
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        socket.send(.reloading(monotonicMicroseconds: UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000))
    }

    func reloadEnded() {
        eventLoop.preconditionInEventLoop()
        told = summary().text
        socket.send(.ready(status: told))
    }

    /// Reports the stop. The watchdog is notified until the process ends, because stopping may take longer than the
    /// watchdog's limit.
    func stopping() {
        eventLoop.preconditionInEventLoop()
        ticks.first?.cancel()
        socket.send(.stopping(status: "stopping: ending tracks, sending remaining events"))
    }

    private func look() {
        let summary = summary()
        let text = summary.text
        if readiness.isReached(summary.pipelines.lazy.map(\.state), at: .now) {
            socket.send(.ready(status: text))
        } else if text != told {
            socket.send(.status(text))
        }
        told = text
    }
}
