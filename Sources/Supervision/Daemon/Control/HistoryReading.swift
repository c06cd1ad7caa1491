import ControlSocket
import DiskJournal
import Dispatch
import EventLog
import Glibc
import JSONLines
import NIOCore

/// Reads the history for peers of the control socket. It belongs to one event loop; a queue of its own reads the
/// database and the pictures.
final class HistoryReading {
    /// The longest wait for a peer that takes no bytes of a picture.
    private static let patience: CInt = 10_000

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
            guard mayLeave(pipeline) else {
                return .failed("pipeline \(pipeline): pictures are disabled: privacy.pictures is false")
            }
            let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            var status = stat()
            guard file >= 0, fstat(file, &status) == 0 else {
                if file >= 0 { close(file) }
                return .failed("no picture of this event is stored")
            }
            let size = Int(status.st_size)
            var reply = ControlReply.done { json in
                json.member("pipeline", pipeline)
                json.member("bytes", size)
            }
            reply.handover = ConnectionHandover { peer, close in
                // A duplicate stays valid while the connection closes.
                let duplicate = fcntl(peer, F_DUPFD_CLOEXEC, 0)
                sending.async {
                    Self.send(file, size, to: duplicate)
                    Glibc.close(duplicate)
                    eventLoop.execute(close)
                }
            } end: {
                sending.async(flags: .barrier) { Glibc.close(file) }
            }
            return reply
        }
    }

    /// Copies the file within the kernel (sendfile(2)).
    private static func send(_ file: CInt, _ size: Int, to peer: CInt) {
        var offset = 0
        while offset < size {
            var place = off_t(offset)
            let count = sendfile(peer, file, &place, size - offset)
            if count > 0 {
                offset += count
                continue
            }
            guard count < 0, errno == EAGAIN || errno == EINTR else { return }
            var writable = pollfd(fd: peer, events: Int16(POLLOUT), revents: 0)
            guard poll(&writable, 1, patience) > 0 else { return }
        }
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
