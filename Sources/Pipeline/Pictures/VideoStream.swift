// SPDX-License-Identifier: Apache-2.0
import Confinement
import Dispatch
import Frames
import Observations
import PictureRelease
import Synchronization

/// Sends a running pipeline's own encoded video to viewers, from the frames that the source keeps in memory. Without
/// viewers it does nothing. Any thread may use it.
///
/// Nothing is decoded or encoded, so viewers do not end key-frame idling. A viewer that does not read loses whole
/// groups of pictures; see `VideoCursor`.
package final class VideoStream: Sendable {
    /// Viewers over this number are disconnected.
    package static let mostViewers = PictureStream.mostViewers
    /// The pause before a viewer that is behind gets more, if no frame comes earlier.
    private static let pause = DispatchTimeInterval.milliseconds(100)

    private struct State {
        var hasViewers = false
        var isScheduled = false
        /// The time of the newest decoded frame; nil before the first.
        var newest: Int64?
        /// Whether decoded frames are rotated or mirrored.
        var isTurned = false
        var isOver = false
    }

    private struct Work {
        var video: (any CameraVideo)?
        var viewers: [VideoViewer] = []
        var fragment: VideoViewer.Fragment?
        var isFlushing = false
    }

    private let obstacle: String?
    private let epoch: UInt64
    private let isPaced: Bool
    private let queue = DispatchQueue(label: "video-stream", qos: .utility)
    private let state = Mutex(State())
    private let work: Confined<Work>
    private let complain: @Sendable (String) -> Void

    /// - Parameters:
    ///   - obstacle: the reason why the settings forbid to pass video on; nil if they allow it.
    ///   - isPaced: whether frames come earlier than their time, so that viewers get them when they are decoded.
    ///   - complain: takes a message for people. Called on any thread.
    package init(
        epoch: UInt64, obstacle: String?, isPaced: Bool, complain: @escaping @Sendable (String) -> Void
    ) {
        (self.epoch, self.obstacle, self.isPaced, self.complain) = (epoch, obstacle, isPaced, complain)
        work = Confined(Work(), to: queue)
    }

    /// - Parameter released: nil if the source keeps no encoded video, or if it may not leave.
    package func begin(_ released: ReleasedVideo?) {
        let video = released?.camera
        queue.async { [self] in
            work.with { work in
                work.video = video
                if video == nil { refuseAll("the source gives no encoded video", &work) }
                follow(&work)
                send(&work)
            }
        }
    }

    /// Sends video to a viewer from the newest key frame on, until the viewer closes its connection. A viewer without
    /// video gets the reason.
    ///
    /// - Parameter descriptor: a stream socket, which this call takes over.
    package func add(_ descriptor: CInt) {
        queue.async { [self] in
            let viewer = VideoViewer(descriptor)
            work.with { work in
                for viewer in work.viewers { viewer.check() }
                work.viewers.append(viewer)
                if let obstacle { viewer.refuse(obstacle, at: .now) }
                if work.viewers.count > Self.mostViewers || state.withLock(\.isOver) {
                    viewer.refuse("the source has ended, or too many viewers are connected", at: .now)
                }
                // Before anything is read, so that a frame that comes meanwhile is noticed.
                follow(&work)
                send(&work)
            }
        }
    }

    /// Takes note of each decoded frame.
    package func offer(_ frame: FrameInfo) {
        let isDue = state.withLock { state in
            state.newest = frame.presentationTime
            state.isTurned = frame.rotation != 0 || frame.mirrored
            return isPaced && state.hasViewers
        }
        if isDue { schedule() }
    }

    /// Disconnects all viewers, because the source has ended.
    package func end() {
        state.withLock { $0.isOver = true }
        queue.sync {
            work.with { work in
                work.viewers.removeAll()
                follow(&work)
                (work.video, work.fragment) = (nil, nil)
            }
        }
    }

    /// Sends soon what has come. Returns at once; calls in between count as one.
    private func schedule() {
        let isFirst = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        queue.async { [self] in
            state.withLock { $0.isScheduled = false }
            work.with { send(&$0) }
        }
    }

    // MARK: On the queue

    private func send(_ work: inout Work) {
        let now = ContinuousClock.now
        let (newest, isTurned) = state.withLock { ($0.newest, $0.isTurned) }
        if isTurned { refuseAll("the picture is turned, and the camera's own video is not", &work) }
        if let video = work.video, let newest {
            if !video.isInOrder { refuseAll("the video has B-frames", &work) }
            let limit = isPaced ? newest : .max
            for viewer in work.viewers where !viewer.isGone {
                do throws(SourceError) {
                    try viewer.take(video, epoch: epoch, until: limit, at: now, &work.fragment)
                } catch {
                    viewer.refuse("\(error)", at: now)
                }
            }
        }
        for viewer in work.viewers where viewer.isGone {
            complain("a viewer of video has left after \(viewer.cursor.sent) frames; it lost \(viewer.cursor.lost)")
        }
        let count = work.viewers.count
        work.viewers.removeAll(where: \.isGone)
        if work.viewers.count < count { follow(&work) }
        flushLater(&work)
    }

    private func refuseAll(_ reason: String, _ work: inout Work) {
        for viewer in work.viewers { viewer.refuse(reason, at: .now) }
    }

    /// Listens to the source exactly while there are viewers.
    private func follow(_ work: inout Work) {
        let hasViewers = !work.viewers.isEmpty
        state.withLock { $0.hasViewers = hasViewers }
        if !hasViewers { work.fragment = nil }
        guard hasViewers, !isPaced else { return work.video?.follow(nil) ?? () }
        work.video?.follow { [weak self] in self?.schedule() }
    }

    private func flushLater(_ work: inout Work) {
        guard !work.isFlushing, work.viewers.contains(where: \.isBehind) else { return }
        work.isFlushing = true
        queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
            guard let self else { return }
            self.work.with { work in
                work.isFlushing = false
                self.send(&work)
            }
        }
    }
}
