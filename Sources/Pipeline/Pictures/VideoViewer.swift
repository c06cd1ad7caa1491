// SPDX-License-Identifier: Apache-2.0
import FragmentedVideo
import Frames
import JSONLines

/// A program that reads a pipeline's own video from a stream socket: a line in JSON, then fragmented MP4. Belongs to
/// one queue.
final class VideoViewer {
    /// The last fragment, which the viewers share.
    struct Fragment {
        var number: UInt64
        var bytes: [UInt8]
    }

    /// The duration of each frame in nanoseconds. The time of the next frame is unknown. A browser takes a frame that
    /// is later than two durations for a gap, and drops frames up to a key frame.
    private static let duration: Int64 = 500_000_000

    private(set) var cursor = VideoCursor()
    private(set) var isGone = false
    private let socket: ViewerSocket

    /// Takes ownership of the descriptor, a stream socket.
    init(_ descriptor: CInt) {
        socket = ViewerSocket(descriptor)
    }

    var isBehind: Bool { socket.isBehind }

    /// Notices a viewer that has closed its connection.
    func check() {
        socket.check()
        isGone = isGone || socket.isGone
    }

    /// Sends the reason why there is no video, and ends the connection.
    func refuse(_ reason: String, at now: ContinuousClock.Instant) {
        if cursor.number == nil, !isBehind { socket.send(Self.line { $0.member("error", reason) }, at: now) }
        isGone = true
    }

    /// Sends the frames that are due, as far as the socket takes them.
    ///
    /// - Parameters:
    ///   - limit: later frames are not due yet.
    ///   - fragment: the last fragment that was made.
    func take(
        _ video: any CameraVideo, epoch: UInt64, until limit: Int64, at now: ContinuousClock.Instant,
        _ fragment: inout Fragment?
    ) throws(SourceError) {
        socket.flush(at: now)
        defer { isGone = isGone || socket.isGone }
        guard !isBehind, !socket.isGone else { return }
        guard let due = cursor.due(video.frames(after: cursor.number ?? 0), until: limit) else {
            isGone = true
            return
        }
        for frame in due where !isBehind && !socket.isGone {
            if cursor.number == nil {
                let description = try video.description(at: frame.number)
                guard description.codec == .h264 else {
                    throw SourceError(.failed, "the camera sends \(description.codec.rawValue), not H.264")
                }
                socket.send(Self.begin(description, epoch) + MovieHeader.bytes(description), at: now)
                guard !isBehind else { return }
            }
            if fragment?.number != frame.number {
                guard let content = video.content(of: frame.number), let time = frame.presentationTime else { return }
                let shown = MovieFragment.Frame(duration: Self.duration, isKey: frame.isKey, content: content)
                let made = MovieFragment(number: frame.number, time: time, frames: [shown])
                fragment = Fragment(number: frame.number, bytes: made.bytes)
            }
            if let fragment { socket.send(fragment.bytes, at: now) }
            cursor.advance(to: frame)
        }
    }

    private static func begin(_ video: VideoDescription, _ epoch: UInt64) -> [UInt8] {
        line { json in
            json.member("epoch", epoch)
            json.member("codec", video.name)
            json.member("width", video.width)
            json.member("height", video.height)
        }
    }

    private static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object { members(&$0) }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
