// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization

/// A value that one dispatch queue or one thread uses. A use elsewhere ends the process.
///
/// Sound without a lock: `with` is the only access, and it checks that the owning queue or thread calls it.
package final class Confined<Value>: @unchecked Sendable {
    private var value: Value
    private let queue: DispatchQueue?
    /// The thread that uses it; 0: none has.
    private let thread = Atomic<UInt>(0)

    /// For one serial queue.
    package init(_ value: sending Value, to queue: DispatchQueue) {
        self.value = value
        self.queue = queue
    }

    /// For the thread that uses it first.
    package init(toOneThread value: sending Value) {
        self.value = value
        queue = nil
    }

    package func with<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let queue { dispatchPrecondition(condition: .onQueue(queue)) } else { checkThread() }
        return try body(&value)
    }

    private func checkThread() {
        let own = UInt(pthread_self())
        let (isFirst, owner) = thread.compareExchange(expected: 0, desired: own, ordering: .relaxed)
        precondition(isFirst || owner == own, "\(Value.self) is used by another thread than the first")
    }
}
