// SPDX-License-Identifier: Apache-2.0
import NIOCore
import WorkerChannel

/// Requests without an answer so far.
struct PendingAnswers {
    static let limit = TimeAmount.seconds(5)
    /// Requests over this number are refused.
    static let maximumCount = 4

    private var promises: [UInt64: EventLoopPromise<String?>] = [:]
    private var newest: UInt64 = 0

    var isFull: Bool { promises.count >= Self.maximumCount }

    mutating func add(_ promise: EventLoopPromise<String?>) -> UInt64 {
        newest += 1
        promises[newest] = promise
        return newest
    }

    /// Removes a request. The caller keeps the promise, because those who wait may ask again at once.
    ///
    /// - Returns: the promise of the error, or of nil for a complete request. nil for an unknown number.
    mutating func take(_ number: UInt64) -> EventLoopPromise<String?>? { promises.removeValue(forKey: number) }

    mutating func takeAll() -> [EventLoopPromise<String?>] {
        defer { promises.removeAll() }
        return Array(promises.values)
    }
}

extension Worker {
    /// Sends a request to the process.
    ///
    /// - Parameter silence: the error text if no answer arrives within 5 seconds.
    /// - Returns: the error; nil if the request is complete.
    package func ask(
        _ request: WorkerRequest, silence: String
    ) throws(WorkerStateMachine.Refusal) -> EventLoopFuture<String?> {
        guard current != nil, machine.isSettled else { throw .init(description: "no worker is running") }
        guard !answers.isFull else {
            throw .init(description: "\(PendingAnswers.maximumCount) requests are already in progress")
        }
        let promise = eventLoop.makePromise(of: String?.self)
        let number = answers.add(promise)
        send(.request(number, request))
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let timer = eventLoop.scheduleTask(in: PendingAnswers.limit) {
            bound.value.answers.take(number)?.succeed(silence)
        }
        promise.futureResult.whenComplete { _ in timer.cancel() }
        return promise.futureResult
    }
}
