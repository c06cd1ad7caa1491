// SPDX-License-Identifier: Apache-2.0
import Confinement
import Dispatch
import Frames
import GStreamerSource
import PictureRelease
import Synchronization

/// The newest pictures of a pipeline as H.264 in memory, masked and covered, for clips. Any thread may use it.
///
/// Encoding runs on a queue of its own. While a picture is encoded, other frames are passed over. A frame whose
/// pictures are withheld is absent from the video.
package final class CoveredVideo: PictureVideo {
    /// The pause after a failure, in nanoseconds.
    private static let failurePause: Int64 = 5_000_000_000
    /// Frames of which it is not yet known whether their pictures may leave.
    private static let mostWaiting = 8
    /// Frames come a little early or late. In nanoseconds.
    private static let slack: Int64 = 5_000_000

    private struct State {
        var waiting = WaitingPictures(limit: CoveredVideo.mostWaiting)
        var isEncoding = false
        /// The time of the newest picture.
        var last: Int64?
        /// No picture is taken before this time, after a failure.
        var due: Int64 = .min
        var isOver = false

        func wants(_ time: Int64) -> Bool {
            guard !isOver, time >= due else { return false }
            guard let last else { return true }
            // A clock that jumps back begins anew.
            return time - last >= 1_000_000_000 / Int64(VideoTrack.rate) - CoveredVideo.slack
                || last - time > VideoTrack.longestPause
        }
    }

    private let release: PictureRelease
    private let store: EncodedStore
    private let queue = DispatchQueue(label: "covered-video", qos: .utility)
    private let state = Mutex(State())
    private let track: Confined<VideoTrack>
    private let complain: @Sendable (String) -> Void

    /// - Parameters:
    ///   - length: the video that is kept at least.
    ///   - complain: takes messages for people. Called on the queue.
    package init(_ release: PictureRelease, length: Duration, complain: @escaping @Sendable (String) -> Void) {
        (self.release, self.complain) = (release, complain)
        let most = VideoTrack.bitsPerSecond(width: VideoTrack.mostWidth, height: VideoTrack.mostWidth) / 8
        store = EncodedStore(ring: length, bytes: max(4 << 20, most * Int(length / .seconds(1))))
        track = Confined(VideoTrack(), to: queue)
    }

    /// Adds a frame to the video as soon as its pictures may leave. Returns at once.
    package func offer(_ frame: Frame) {
        // A key frame of a source that idles comes again in its turn when it shows something new.
        guard frame.role == .ordinary || frame.role == .past else { return }
        let time = frame.info.presentationTime
        guard state.withLock({ $0.wants(time) }) else { return }
        let held = release.hold(frame)
        state.withLock { $0.waiting.add(held) }
        release.whenDecided(held) { [self] in encodeDecided() }
    }

    /// Encodes the newest picture that may leave.
    private func encodeDecided() {
        let next = state.withLock { state -> HeldPicture? in
            guard !state.isEncoding, let next = state.waiting.takeDecided(), state.wants(next.info.presentationTime)
            else { return nil }
            (state.isEncoding, state.last) = (true, next.info.presentationTime)
            return next
        }
        guard let next else { return }
        release.release(next) { [self] result in
            if let picture = try? result.get() { take(picture) } else { state.withLock { $0.isEncoding = false } }
        }
    }

    package func take(_ picture: ReleasedPicture) {
        queue.async { [self] in
            let frame = picture.frame
            do throws(SourceError) {
                try track.with { (track) throws(SourceError) in try track.append(frame, to: store) }
            } catch {
                complain("warning: clips: \(error)")
                state.withLock { $0.due = frame.info.presentationTime + Self.failurePause }
            }
            state.withLock { $0.isEncoding = false }
            encodeDecided()
        }
    }

    /// Takes no further frame, and waits for the picture that is being encoded.
    package func end() {
        state.withLock { state in
            state.isOver = true
            state.waiting.removeAll()
        }
        queue.sync { track.with { $0 = VideoTrack() } }
    }

    // MARK: EncodedVideo

    package var fill: EncodedFill { store.fill }

    package var newestTime: Int64? { store.newestTime }

    package func frames(after number: UInt64) -> [EncodedFrame] { store.frames(after: number) }

    package func description(at number: UInt64) throws(SourceError) -> VideoDescription {
        try store.description(at: number)
    }

    package func content(of number: UInt64) -> [UInt8]? { store.content(of: number) }
}
