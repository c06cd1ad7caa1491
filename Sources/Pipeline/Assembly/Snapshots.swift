// SPDX-License-Identifier: Apache-2.0
import EventLines
import Frames
import Observations
import PictureEncoding
import PictureRelease
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
        /// Frames of which it is not yet known whether their pictures may leave.
        var held = WaitingPictures(limit: Snapshots.mostHeld)
        var pipeline = PipelineIdentity(name: "")
        var writer: PictureWriter?
        var tell: @Sendable (FrameSnapshotEvent) -> Void = { _ in }
        var isOver = false
    }

    private static let mostHeld = 16

    /// The reason why every request fails; nil if pictures may be made.
    private let refusal: String?
    private let release: PictureRelease
    private let state = Mutex(State())

    init(_ release: PictureRelease, refusal: String?) {
        self.release = release
        self.refusal = refusal
    }

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
            if let refusal = self.refusal { return "pictures are disabled: \(refusal)" }
            if state.isOver { return "the pipeline is not running" }
            guard state.waiting.count < Self.limit else {
                return "\(Self.limit) other snapshots are waiting for a frame"
            }
            state.waiting.append(Request(path: path, isCaptioned: isCaptioned, done: done))
            return nil
        }
        if let refusal { done(refusal) }
    }

    /// Fulfils the waiting requests with a new frame. If features have to be covered in it, the requests wait for the
    /// first frame that every needed detector has looked at.
    func offer(_ frame: Frame) {
        guard state.withLock({ !$0.waiting.isEmpty }) else { return }
        let held = release.hold(frame)
        state.withLock { $0.held.add(held) }
        release.whenDecided(held) { [self] in writeDecided() }
    }

    /// Fulfils the waiting requests with the newest picture that may leave.
    private func writeDecided() {
        let (next, requests) = state.withLock { state -> (HeldPicture?, [Request]) in
            guard let next = state.held.takeDecided() else { return (nil, []) }
            defer {
                state.waiting.removeAll()
                state.held.removeAll()
            }
            return (next, state.waiting)
        }
        guard let next else { return }
        release.release(next) { [self] result in
            for request in requests {
                switch result {
                case .success(let picture): write(picture, next.info, request)
                case .failure(let reason): request.done("\(reason)")
                }
            }
        }
    }

    private func write(_ picture: ReleasedPicture, _ info: FrameInfo, _ request: Request) {
        let (pipeline, writer, tell) = state.withLock { ($0.pipeline, $0.writer, $0.tell) }
        let caption = request.isCaptioned ? PictureLabel.caption(pipeline.name, info.time) : nil
        let event = { @Sendable (picture: PictureEncoder.Picture) in
            FrameSnapshotEvent(
                frame: info, file: request.path, width: picture.width, height: picture.height,
                bytes: picture.bytes.count)
        }
        let job = PictureJob(
            picture: picture, form: PictureEncoder.Form(caption: caption), place: .file(path: request.path)
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

    /// Fails the waiting requests, because the source has ended.
    func end() {
        let requests = state.withLock { state in
            state.isOver = true
            state.held.removeAll()
            defer { state.waiting.removeAll() }
            return state.waiting
        }
        let reason = release.reason.map { "; no picture may leave: \($0)" } ?? ""
        for request in requests { request.done("the pipeline ended before the next frame\(reason)") }
    }
}
