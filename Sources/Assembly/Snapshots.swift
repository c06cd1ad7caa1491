import Dispatch
import Events
import Frames
import GStreamerSource
import PictureStorage
import Synchronization

/// Frames as pictures, for whoever asks: encoded on a queue of their own, so that no lane waits.
final class Snapshots: Sendable {
    /// More at a time are refused.
    private static let limit = 4

    private struct Request: Sendable {
        var path: String
        var done: @Sendable (String?) -> Void
    }

    private struct State {
        var waiting: [Request] = []
        var tell: @Sendable (FrameSnapshotEvent) -> Void = { _ in }
        var isOver = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "snapshots")

    /// - Parameter tell: told of each picture when it is whole, before whoever asked for it is. On a queue of its own.
    func begin(_ tell: @escaping @Sendable (FrameSnapshotEvent) -> Void) { state.withLock { $0.tell = tell } }

    /// - Parameter done: called once, from any thread, with what went wrong; nil when the whole picture is at `path`.
    func request(_ path: String, _ done: @escaping @Sendable (String?) -> Void) {
        let refusal: String? = state.withLock { state in
            if state.isOver { return "the pipeline does not run" }
            guard state.waiting.count < Self.limit else { return "\(Self.limit) others wait for a frame" }
            state.waiting.append(Request(path: path, done: done))
            return nil
        }
        if let refusal { done(refusal) }
    }

    /// A new frame is there.
    func offer(_ frame: Frame) {
        let (requests, tell) = state.withLock { state in
            defer { state.waiting.removeAll() }
            return (state.waiting, state.tell)
        }
        guard !requests.isEmpty else { return }
        queue.async {
            for request in requests {
                do {
                    let picture = try PictureEncoder.encode(frame)
                    try PictureFile.write(picture.bytes, to: request.path)
                    tell(
                        FrameSnapshotEvent(
                            frame: frame.info, file: request.path, width: picture.width, height: picture.height,
                            bytes: picture.bytes.count))
                    request.done(nil)
                } catch {
                    request.done("\(error)")
                }
            }
        }
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
