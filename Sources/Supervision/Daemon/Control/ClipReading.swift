// SPDX-License-Identifier: Apache-2.0
import ControlSocket
import Dispatch
import JSONLines
import NIOCore
import Observations
import PictureStorage

/// Reads clips for peers of the control socket. It belongs to one event loop; queues of its own read the files.
final class ClipReading {
    private let eventLoop: any EventLoop
    private let queue = DispatchQueue(label: "glimpsed.clips", qos: .utility)
    private let sending = DispatchQueue(label: "glimpsed.clips.files", qos: .utility, attributes: .concurrent)

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// - Parameter mayLeave: whether pictures of a pipeline may leave, by the daemon's present configuration.
    func list(
        _ query: ClipQuery, in folder: String, mayLeave: @escaping @Sendable (String) -> Bool
    ) -> EventLoopFuture<ControlReply> {
        read {
            let (begin, end) = (query.since ?? .epoch, query.until ?? Timestamp(nanoseconds: .max))
            let clips = StoredClips.list(in: folder, begin..<max(begin, end), limit: query.limit) { pipeline in
                mayLeave(pipeline) && (query.pipeline ?? pipeline) == pipeline
            }
            return .done { json in
                json.array("clips") { json in
                    for clip in clips {
                        json.object { json in
                            json.member("pipeline", clip.pipeline)
                            json.member("name", clip.name)
                            json.member("from", clip.from.rfc3339)
                            json.member("to", clip.to.rfc3339)
                            json.member("pts_ns", clip.presentationTime)
                            json.member("frames", clip.frames)
                            json.member("bytes", clip.bytes)
                        }
                    }
                }
            }
        }
    }

    func file(
        _ clip: ClipFile, in folder: String, mayLeave: @escaping @Sendable (String) -> Bool
    ) -> EventLoopFuture<ControlReply> {
        let (sending, eventLoop) = (sending, eventLoop)
        return read {
            guard mayLeave(clip.pipeline) else {
                return .failed("pipeline \(clip.pipeline): pictures are disabled: privacy.pictures is false")
            }
            let part = clip.isEvents ? StoredClips.Part.events : .video
            guard
                let (file, size) = StoredClips.open(part, of: clip.name, pipeline: clip.pipeline, in: folder)
            else { return .failed("there is no such clip") }
            var reply = ControlReply.done { json in
                json.member("pipeline", clip.pipeline)
                json.member("bytes", size)
            }
            reply.handover = .sending(file, size, on: sending, eventLoop)
            return reply
        }
    }

    private func read(_ read: @escaping @Sendable () -> ControlReply) -> EventLoopFuture<ControlReply> {
        let promise = eventLoop.makePromise(of: ControlReply.self)
        queue.async { promise.succeed(read()) }
        return promise.futureResult
    }
}
