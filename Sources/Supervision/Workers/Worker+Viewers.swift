// SPDX-License-Identifier: Apache-2.0
import CProcess
import Glibc
import WorkerChannel

/// The viewers whose connections the current process writes to.
struct Viewers {
    private var newest: UInt64 = 0
    /// Each closes a viewer's connection.
    private var closers: [UInt64: () -> Void] = [:]

    mutating func add(_ close: @escaping () -> Void) -> UInt64 {
        newest += 1
        closers[newest] = close
        return newest
    }

    mutating func remove(_ number: UInt64) { closers[number] = nil }

    /// Removes all viewers. The caller closes their connections, because a closed one comes back to `remove` at once.
    mutating func takeAll() -> [() -> Void] {
        defer { closers.removeAll() }
        return Array(closers.values)
    }
}

extension Worker {
    /// - Throws: `Refusal` if no worker runs that could take a viewer.
    package func checkForViewers() throws(WorkerStateMachine.Refusal) {
        guard current != nil, machine.isSettled else { throw .init(description: "no worker is running") }
    }

    /// Hands a connection to the process, which writes pictures to it.
    ///
    /// - Parameters:
    ///   - descriptor: the connection; the process gets a duplicate.
    ///   - close: closes the connection; called when the process ends.
    /// - Returns: the viewer's number for `viewerLeft`.
    /// - Throws: `Refusal` if no worker runs, or the worker takes no viewers.
    package func hand(
        _ descriptor: CInt, _ request: ViewerRequest, close: @escaping () -> Void
    ) throws(WorkerStateMachine.Refusal) -> UInt64 {
        try checkForViewers()
        let payload = request.payload
        guard let current, glimpse_send_descriptor(current.child.viewers, descriptor, payload, payload.count) == 0
        else {
            throw .init(description: "its worker takes no viewers: \(String(cString: strerror(errno)))")
        }
        return viewers.add(close)
    }

    package func viewerLeft(_ number: UInt64) { viewers.remove(number) }
}
