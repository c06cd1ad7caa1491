// SPDX-License-Identifier: Apache-2.0
import Confinement
import Dispatch
import Frames
import JSONLines
import Observations
import PictureEncoding
import PictureRelease
import Synchronization

/// Sends pictures of a running pipeline to viewers. Without viewers it holds no frame and makes no picture. Any thread
/// may use it.
///
/// A record is the length of the header in 4 bytes (big-endian), the header in JSON and a JPEG picture. Each picture is
/// encoded once for each width. One picture is encoded at a time; frames that arrive meanwhile are passed over. A
/// viewer that has not read its picture loses the next ones.
package final class PictureStream: Sendable {
    /// Viewers over this number are disconnected.
    package static let mostViewers = 32
    /// The quality of libjpeg.
    private static let quality = 80
    /// Frames of which it is not yet known whether their pictures may leave.
    private static let mostWaiting = 8
    /// The pause before a viewer that is behind gets the rest of its picture.
    private static let pause = DispatchTimeInterval.milliseconds(20)

    private struct State {
        /// When the first viewer may get a picture; nil without viewers.
        var due: ContinuousClock.Instant?
        var waiting = WaitingPictures(limit: PictureStream.mostWaiting)
        var isEncoding = false
        /// The number of the newest frame of which a picture was made.
        var newest: UInt64 = 0
        var made: UInt64 = 0
        var isOver = false
    }

    private struct Viewers {
        var all: [PictureViewer] = []
        /// By width; only of widths in use.
        var encoders: [Int: PictureEncoder] = [:]
        var isFlushing = false
    }

    private let allows: Bool
    private let release: PictureRelease
    private let queue = DispatchQueue(label: "picture-stream", qos: .utility)
    private let state = Mutex(State())
    private let viewers: Confined<Viewers>
    private let complain: @Sendable (String) -> Void

    /// - Parameters:
    ///   - allows: whether any picture may be made.
    ///   - complain: takes a message for people. Called on any thread.
    package init(_ release: PictureRelease, allows: Bool, complain: @escaping @Sendable (String) -> Void) {
        self.release = release
        self.allows = allows
        self.complain = complain
        viewers = Confined(Viewers(), to: queue)
    }

    /// The number of encoded pictures.
    package var made: UInt64 { state.withLock(\.made) }

    /// Sends pictures to a viewer from the next frame on, until the viewer closes its connection.
    ///
    /// - Parameters:
    ///   - descriptor: a stream socket. This call takes ownership, and closes it if pictures are forbidden.
    ///   - width: in pixels. A narrower frame keeps its own width.
    ///   - rate: the highest number of pictures a second.
    package func add(_ descriptor: CInt, width: Int, rate: Int) {
        queue.async { [self] in
            let viewer = PictureViewer(descriptor, width: width, rate: rate, now: .now)
            let isOpen = allows && !state.withLock(\.isOver)
            viewers.with { viewers in
                removeGone(&viewers)
                if isOpen, viewers.all.count < Self.mostViewers { viewers.all.append(viewer) }
                tellDue(viewers)
            }
        }
    }

    /// Sends a picture of the frame to each viewer whose turn it is. Returns at once.
    package func offer(_ frame: Frame) {
        let isWanted = state.withLock { state in
            guard let due = state.due else { return false }
            return due <= .now && !state.isEncoding
        }
        guard isWanted else { return }
        let held = release.hold(frame)
        state.withLock { $0.waiting.add(held) }
        release.whenDecided(held) { [self] in sendDecided() }
    }

    /// Sends the newest picture that may leave.
    private func sendDecided() {
        let next = state.withLock { state -> HeldPicture? in
            // A decision may come after that of a later frame.
            guard !state.isEncoding, let next = state.waiting.takeDecided(), next.info.sequence > state.newest
            else { return nil }
            (state.isEncoding, state.newest) = (true, next.info.sequence)
            return next
        }
        guard let next else { return }
        release.release(next) { [self] result in
            guard let picture = try? result.get() else { return state.withLock { $0.isEncoding = false } }
            queue.async { [self] in send(picture, next.info) }
        }
    }

    /// Disconnects all viewers, because the source has ended.
    package func end() {
        state.withLock { state in
            state.isOver = true
            state.waiting.removeAll()
        }
        queue.sync {
            viewers.with { viewers in
                viewers.all.removeAll()
                viewers.encoders.removeAll()
                tellDue(viewers)
            }
        }
    }

    // MARK: On the queue

    private func send(_ picture: ReleasedPicture, _ frame: FrameInfo) {
        defer { state.withLock { $0.isEncoding = false } }
        let now = ContinuousClock.now
        viewers.with { viewers in
            for viewer in viewers.all { viewer.check() }
            removeGone(&viewers)
            let widths = Set(viewers.all.filter { $0.due <= now }.map(\.width))
            // Viewers whose turn is near share the picture, so that viewers who came apart take equal turns.
            let waiting = viewers.all.filter { $0.due <= now + $0.interval / 2 }
            for width in widths {
                guard let record = record(picture, frame, width: width, &viewers) else { continue }
                for viewer in waiting where viewer.width == width { viewer.take(record, at: now) }
            }
            removeGone(&viewers)
            tellDue(viewers)
            flushLater(&viewers)
        }
    }

    private func record(
        _ picture: ReleasedPicture, _ frame: FrameInfo, width: Int, _ viewers: inout Viewers
    ) -> [UInt8]? {
        let jpeg: PictureEncoder.Picture
        do throws(SourceError) {
            let encoder = viewers.encoders[width] ?? PictureEncoder(Self.form(width: width))
            viewers.encoders[width] = encoder
            jpeg = try encoder.encode(picture)
        } catch {
            complain("warning: pictures for viewers: \(error)")
            return nil
        }
        state.withLock { $0.made += 1 }
        var json = JSONWriter()
        json.object { json in
            json.member("seq", frame.sequence)
            json.member("epoch", frame.epoch)
            json.member("pts_ns", frame.presentationTime)
            json.member("width", jpeg.width)
            json.member("height", jpeg.height)
            json.member("bytes", jpeg.bytes.count)
        }
        let header = json.bytes
        let length = UInt32(header.count).bigEndian
        return withUnsafeBytes(of: length, Array.init) + header + jpeg.bytes
    }

    private static func form(width: Int) -> PictureEncoder.Form {
        var form = PictureEncoder.Form(maximumWidth: width, quality: quality)
        form.isFast = true
        return form
    }

    private func removeGone(_ viewers: inout Viewers) {
        for viewer in viewers.all where viewer.isGone {
            complain("a viewer has left after \(viewer.sent) pictures; it lost \(viewer.lost)")
        }
        viewers.all.removeAll { $0.isGone }
        viewers.encoders = viewers.encoders.filter { width, _ in viewers.all.contains { $0.width == width } }
    }

    private func tellDue(_ viewers: Viewers) {
        let due = viewers.all.map(\.due).min()
        state.withLock { $0.due = due }
    }

    private func flushLater(_ viewers: inout Viewers) {
        guard !viewers.isFlushing, viewers.all.contains(where: \.isBehind) else { return }
        viewers.isFlushing = true
        queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
            guard let self else { return }
            self.viewers.with { viewers in
                viewers.isFlushing = false
                for viewer in viewers.all { viewer.flush(at: .now) }
                self.removeGone(&viewers)
                self.tellDue(viewers)
                self.flushLater(&viewers)
            }
        }
    }
}
