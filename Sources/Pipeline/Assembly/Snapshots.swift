import EventLines
import Frames
import PictureEncoding
import Pictures
import Synchronization

/// Requests for pictures of frames. Each request waits for the next frame, and then for the pipeline's `PictureWriter`.
package final class Snapshots: Sendable {
    /// Requests over this number are refused.
    private static let limit = 4

    private struct Request: Sendable {
        var path: String
        var isCaptioned: Bool
        var done: @Sendable (String?) -> Void
    }

    private struct State {
        var waiting: [Request] = []
        var pipeline = PipelineIdentity(name: "")
        var writer: PictureWriter?
        var tell: @Sendable (FrameSnapshotEvent) -> Void = { _ in }
        var isOver = false
    }

    private let areAllowed: Bool
    private let state = Mutex(State())

    /// - Parameter areAllowed: whether pictures may be made; if false, each request fails.
    init(areAllowed: Bool) { self.areAllowed = areAllowed }

    /// - Parameter tell: called for each complete picture, before its request's `done`, on the writer's queue.
    func begin(
        _ pipeline: PipelineIdentity, _ writer: PictureWriter, _ tell: @escaping @Sendable (FrameSnapshotEvent) -> Void
    ) {
        state.withLock { ($0.pipeline, $0.writer, $0.tell) = (pipeline, writer, tell) }
    }

    /// Writes the next frame to a JPEG file, upright as the detectors receive it, with `NAME.json` beside it. Any
    /// thread may call it.
    ///
    /// - Parameter done: called once, on any thread, with the error; nil if the picture at `path` is complete.
    package func request(_ path: String, isCaptioned: Bool, _ done: @escaping @Sendable (String?) -> Void) {
        let refusal: String? = state.withLock { state in
            if !areAllowed { return "pictures are disabled: daemon.no_images is true" }
            if state.isOver { return "the pipeline is not running" }
            guard state.waiting.count < Self.limit else {
                return "\(Self.limit) other snapshots are waiting for a frame"
            }
            state.waiting.append(Request(path: path, isCaptioned: isCaptioned, done: done))
            return nil
        }
        if let refusal { done(refusal) }
    }

    /// Fulfils the waiting requests with a new frame.
    func offer(_ frame: Frame) {
        let (requests, pipeline, writer, tell) = state.withLock { state in
            defer { state.waiting.removeAll() }
            return (state.waiting, state.pipeline, state.writer, state.tell)
        }
        for request in requests {
            let caption = request.isCaptioned ? PictureLabel.caption(pipeline.name, frame.info.time) : nil
            let info = frame.info
            let event = { @Sendable (picture: PictureEncoder.Picture) in
                FrameSnapshotEvent(
                    frame: info, file: request.path, width: picture.width, height: picture.height,
                    bytes: picture.bytes.count)
            }
            let job = PictureJob(
                frame: frame, form: PictureEncoder.Form(caption: caption), place: .file(path: request.path)
            ) { picture in
                PictureMetadata.json(event(picture), pipeline: pipeline)
            }
            _ = writer?.take(job) { result in
                switch result {
                case .success(let stored):
                    tell(event(stored.picture))
                    request.done(nil)
                case .failure(let failure): request.done(failure.description)
                }
            }
        }
    }

    /// Fails the waiting requests, because the source has ended.
    func end() {
        let requests = state.withLock { state in
            state.isOver = true
            defer { state.waiting.removeAll() }
            return state.waiting
        }
        for request in requests { request.done("the pipeline ended before the next frame") }
    }
}
