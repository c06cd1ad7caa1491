// SPDX-License-Identifier: Apache-2.0
import ControlSocket
import DiskJournal
import Dispatch
import EventLog
import Glibc
import JSONLines
import NIOCore
import PictureStorage

/// Reads the history for peers of the control socket. It belongs to one event loop; a queue of its own reads the
/// database and the pictures.
final class HistoryReading {
    private let folder: String
    /// Whether the daemon keeps a history.
    private let isKept: Bool
    private let eventLoop: any EventLoop
    private let queue = DispatchQueue(label: "glimpsed.history", qos: .utility)
    private let sending = DispatchQueue(label: "glimpsed.history.pictures", qos: .utility, attributes: .concurrent)

    init(folder: String, isKept: Bool, eventLoop: any EventLoop) {
        (self.folder, self.isKept, self.eventLoop) = (folder, isKept, eventLoop)
    }

    /// The entries, newest first, each as `glimpsed history --json` prints it.
    func list(_ query: History.Query) -> EventLoopFuture<ControlReply> {
        read { folder throws(JournalError) in
            let entries = try History.read(folder: folder, query).map(\.json)
            return .done { json in
                json.array("entries") { json in for entry in entries { json.element(raw: entry) } }
            }
        }
    }

    /// - Parameters:
    ///   - known: the picture, if the event is still in memory.
    ///   - pictures: the folder of stored pictures.
    ///   - mayLeave: whether pictures of a pipeline may leave, by the daemon's present configuration.
    func picture(
        _ place: HistoryPlace, known: (pipeline: String, file: String)?, in pictures: String,
        mayLeave: @escaping @Sendable (String) -> Bool
    ) -> EventLoopFuture<ControlReply> {
        let (sending, eventLoop) = (sending, eventLoop)
        return read(needsHistory: known == nil) { folder throws(JournalError) in
            var found = known
            if found == nil {
                found = try History.picture(folder: folder, runID: place.runID, sequence: place.sequence)
            }
            guard let (pipeline, path) = found, HistoryPicture.isInside(path, pictures) else {
                return .failed("no picture of this event is stored")
            }
            guard mayLeave(pipeline) else { return Self.withheld(pipeline) }
            return Self.send(path, of: pipeline, on: sending, eventLoop)
                ?? .failed("no picture of this event is stored")
        }
    }

    /// - Parameters:
    ///   - path: the file that a `snapshot` line names.
    ///   - pictures: the folder of stored pictures.
    ///   - mayLeave: whether pictures of a pipeline may leave, by the daemon's present configuration.
    func picture(
        _ path: String, in pictures: String, mayLeave: @escaping @Sendable (String) -> Bool
    ) -> EventLoopFuture<ControlReply> {
        let (sending, eventLoop) = (sending, eventLoop)
        return read(needsHistory: false) { _ in
            guard let pipeline = PictureStore.pipeline(of: path, in: pictures) else {
                return .failed("\(path): not a picture stored in \(pictures)")
            }
            guard mayLeave(pipeline) else { return Self.withheld(pipeline) }
            return Self.send(path, of: pipeline, on: sending, eventLoop) ?? .failed("\(path): the picture is gone")
        }
    }

    private static func withheld(_ pipeline: String) -> ControlReply {
        .failed("pipeline \(pipeline): pictures are disabled: privacy.pictures is false")
    }

    /// The reply that turns a connection into the bytes of a file; nil without the file.
    private static func send(
        _ path: String, of pipeline: String, on sending: DispatchQueue, _ eventLoop: any EventLoop
    ) -> ControlReply? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0 else {
            if file >= 0 { close(file) }
            return nil
        }
        let size = Int(status.st_size)
        var reply = ControlReply.done { json in
            json.member("pipeline", pipeline)
            json.member("bytes", size)
        }
        reply.handover = .sending(file, size, on: sending, eventLoop)
        return reply
    }

    private func read(
        needsHistory: Bool = true,
        _ read: @escaping @Sendable (_ folder: String) throws(JournalError) -> ControlReply
    ) -> EventLoopFuture<ControlReply> {
        guard isKept || !needsHistory else {
            return eventLoop.makeSucceededFuture(.failed("the daemon keeps no history; set retention.events to a size"))
        }
        let (promise, folder) = (eventLoop.makePromise(of: ControlReply.self), folder)
        queue.async {
            do throws(JournalError) {
                promise.succeed(try read(folder))
            } catch {
                promise.succeed(.failed("\(error)"))
            }
        }
        return promise.futureResult
    }
}
