// SPDX-License-Identifier: Apache-2.0
import ControlSocket
import DiskJournal
import Dispatch
import EventLog
import JSONLines
import Logging
import NIOCore
import Observations

/// Removes stored data from memory, from the journal on disk and from the state folder. It belongs to one event loop;
/// queues of its own access the files.
final class Forgetting {
    private let folder: String
    private let journal: DiskJournal?
    private let stream: EventStream
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let queue = DispatchQueue(label: "glimpsed.forget", qos: .utility)

    init(folder: String, journal: DiskJournal?, stream: EventStream, eventLoop: any EventLoop, logger: Logger) {
        (self.folder, self.journal, self.stream) = (folder, journal, stream)
        (self.eventLoop, self.logger) = (eventLoop, logger)
    }

    /// Removes the selected data that the daemon has at this moment.
    func forget(_ selection: ForgetSelection) -> EventLoopFuture<ControlReply> {
        eventLoop.preconditionInEventLoop()
        // The journal receives all events before they leave memory.
        stream.publish()
        let inMemory = stream.record { $0.forget(selection) }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        return forgetStored(selection, inMemory: inMemory).flatMap { stored -> EventLoopFuture<ForgottenCounts> in
            bound.value.forgetFiles(selection).map { files in
                var counts = files
                (counts.events, counts.history) = stored
                return counts
            }
        }.map { counts in
            bound.value.logger.notice("forget: \(counts.text)")
            return .done { json in
                for (name, count) in counts.members { json.member(dynamicKey: name, UInt64(count)) }
            }
        }.recover { error in
            bound.value.logger.error("forget: \(error)")
            return .failed("not all data were removed: \(error)")
        }
    }

    private func forgetStored(
        _ selection: ForgetSelection, inMemory: UInt64
    ) -> EventLoopFuture<(events: UInt64, history: Int)> {
        guard let journal else { return eventLoop.makeSucceededFuture((inMemory, 0)) }
        let promise = eventLoop.makePromise(of: (events: UInt64, history: Int).self)
        journal.forget(selection) { result in promise.completeWith(result.mapError { $0 as any Error }) }
        let bound = NIOLoopBound(stream, eventLoop: eventLoop)
        return promise.futureResult.flatMapThrowing { removed in
            try journal.dropCommittedLines(bound.value.log)
            return removed
        }
    }

    private func forgetFiles(_ selection: ForgetSelection) -> EventLoopFuture<ForgottenCounts> {
        let (promise, folder) = (eventLoop.makePromise(of: ForgottenCounts.self), folder)
        queue.async {
            let result = StateFiles.forget(selection, folder: folder)
            promise.completeWith(result.mapError { $0 as any Error })
        }
        return promise.futureResult
    }
}
