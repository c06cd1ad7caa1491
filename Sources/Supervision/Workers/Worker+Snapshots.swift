import NIOCore
import WorkerChannel

/// Pictures that were asked for and are not there yet.
struct PendingSnapshots {
    /// A worker whose source gives no frame for so long gives none to a snapshot.
    static let limit = TimeAmount.seconds(5)
    /// More at a time are refused.
    static let maximumCount = 4

    private(set) var promises: [UInt64: EventLoopPromise<String?>] = [:]
    private var newest: UInt64 = 0

    var isFull: Bool { promises.count >= Self.maximumCount }

    mutating func add(_ promise: EventLoopPromise<String?>) -> UInt64 {
        newest += 1
        promises[newest] = promise
        return newest
    }

    /// - Parameter error: nil when the picture is there.
    mutating func finish(_ number: UInt64, error: String?) { promises.removeValue(forKey: number)?.succeed(error) }

    mutating func finishAll(error: String) {
        for number in promises.keys { finish(number, error: error) }
    }
}

extension Worker {
    /// Has the worker write its next frame to a JPEG file, in a folder that is there.
    ///
    /// - Returns: nil when the whole file is there, else what went wrong.
    package func snapshot(
        _ path: String, isCaptioned: Bool
    ) throws(WorkerStateMachine.Refusal) -> EventLoopFuture<String?> {
        guard current != nil, machine.isSettled else { throw .init(description: "no worker is running") }
        guard !snapshots.isFull else {
            throw .init(description: "\(PendingSnapshots.maximumCount) snapshots are already in progress")
        }
        let promise = eventLoop.makePromise(of: String?.self)
        let number = snapshots.add(promise)
        send(.snapshot(WorkerSnapshot(number: number, path: path, isCaptioned: isCaptioned)))
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let timer = eventLoop.scheduleTask(in: PendingSnapshots.limit) {
            bound.value.snapshots.finish(number, error: "its source gave no frame within 5 seconds")
        }
        promise.futureResult.whenComplete { _ in timer.cancel() }
        return promise.futureResult
    }
}
