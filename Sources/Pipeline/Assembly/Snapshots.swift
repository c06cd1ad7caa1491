import Dispatch
import Events
import Frames
import GStreamerSource
import PictureStorage
import Pictures
import Synchronization

/// Frames as pictures, for whoever asks: encoded on a queue of their own, so that no lane waits.
final class Snapshots: Sendable {
    /// More at a time are refused.
    private static let limit = 4

    private struct Request: Sendable {
        var path: String
        var isCaptioned: Bool
        var done: @Sendable (String?) -> Void
    }

    private struct State {
        var waiting: [Request] = []
        var pipeline = PipelineIdentity(name: "")
        var tell: @Sendable (FrameSnapshotEvent) -> Void = { _ in }
        var isOver = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "snapshots")

    /// - Parameter tell: told of each picture when it is whole, before whoever asked for it is. On a queue of its own.
    func begin(_ pipeline: PipelineIdentity, _ tell: @escaping @Sendable (FrameSnapshotEvent) -> Void) {
        state.withLock { ($0.pipeline, $0.tell) = (pipeline, tell) }
    }

    /// - Parameter done: called once, from any thread, with what went wrong; nil when the whole picture is at `path`.
    func request(_ path: String, isCaptioned: Bool, _ done: @escaping @Sendable (String?) -> Void) {
        let refusal: String? = state.withLock { state in
            if state.isOver { return "the pipeline does not run" }
            guard state.waiting.count < Self.limit else { return "\(Self.limit) others wait for a frame" }
            state.waiting.append(Request(path: path, isCaptioned: isCaptioned, done: done))
            return nil
        }
        if let refusal { done(refusal) }
    }

    /// A new frame is there.
    func offer(_ frame: Frame) {
        let (requests, pipeline, tell) = state.withLock { state in
            defer { state.waiting.removeAll() }
            return (state.waiting, state.pipeline, state.tell)
        }
        guard !requests.isEmpty else { return }
        queue.async {
            for request in requests {
                do {
                    tell(try Self.write(frame, of: pipeline, request))
                    request.done(nil)
                } catch {
                    request.done("\(error)")
                }
            }
        }
    }

    /// The metadata before the picture: what a picture names is whole.
    private static func write(
        _ frame: Frame, of pipeline: PipelineIdentity, _ request: Request
    ) throws -> FrameSnapshotEvent {
        let caption = request.isCaptioned ? PictureLabel.caption(pipeline.name, frame.info.time) : nil
        let picture = try PictureEncoder.encode(frame, PictureEncoder.Form(caption: caption))
        let event = FrameSnapshotEvent(
            frame: frame.info, file: request.path, width: picture.width, height: picture.height,
            bytes: picture.bytes.count)
        try PictureFile.write(
            PictureMetadata.json(event, pipeline: pipeline), to: request.path.dropLast(".jpg".count) + ".json",
            isSynced: false)
        try PictureFile.write(picture.bytes, to: request.path)
        return event
    }

    /// No frame comes any more.
    func end() {
        let requests = state.withLock { state in
            state.isOver = true
            defer { state.waiting.removeAll() }
            return state.waiting
        }
        for request in requests { request.done("the pipeline ended before it had another frame") }
    }
}
