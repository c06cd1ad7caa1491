// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import NIOCore

/// Collects the exit statuses of child processes, so that no zombies remain. It waits only for the processes it
/// watches.
///
/// It belongs to one event loop.
final class ChildReaper {
    private let eventLoop: any EventLoop
    private let signals: any DispatchSourceSignal
    private var isClosing = false
    private var watched: [pid_t: (WorkerStateMachine.Exit) -> Void] = [:]

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        signals = DispatchSource.makeSignalSource(signal: SIGCHLD, queue: DispatchQueue(label: "glimpsed.reaper"))
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        signals.setEventHandler { eventLoop.execute { bound.value.reap() } }
        signals.activate()
    }

    /// Releases the signal source, which retains this reaper, when all watched processes have ended.
    func close() {
        isClosing = true
        closeIfDone()
    }

    private func closeIfDone() {
        if isClosing, watched.isEmpty { signals.cancel() }
    }

    /// Calls `exited` once on the event loop when the process has ended.
    func watch(_ pid: pid_t, exited: @escaping (WorkerStateMachine.Exit) -> Void) {
        watched[pid] = exited
        // The process may have ended before it was watched.
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.execute { bound.value.reap() }
    }

    /// Checks all processes, because one signal may stand for several ends.
    func reap() {
        for (pid, exited) in watched {
            var status: CInt = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { continue }
            watched[pid] = nil
            exited(status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F))
        }
        closeIfDone()
    }
}
