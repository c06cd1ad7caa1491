// SPDX-License-Identifier: Apache-2.0
import Observations

/// A clip of encoded video is complete on disk.
public struct ClipEvent: Sendable, Equatable {
    /// The path of the video.
    public var file: String
    /// The path of the events of the clip's time.
    public var events: String
    /// The times of the first frame and of the end.
    public var from: Timestamp
    public var to: Timestamp
    /// The presentation time of the first frame, in nanoseconds: `frame.pts_ns` of its events.
    public var presentationTime: Int64
    /// The number of complete frames in the file.
    public var frames: Int
    /// The size of the video file in bytes.
    public var bytes: Int
    /// The entries of `clip.on` that asked for the clip.
    public var reasons: [String]
    /// Whether a worker was killed while it wrote the clip.
    public var isRecovered: Bool
    /// The clock of `from` and `to`.
    public var clock: ClockSource

    public init(
        file: String, events: String, from: Timestamp, to: Timestamp, presentationTime: Int64, frames: Int, bytes: Int,
        reasons: [String], isRecovered: Bool = false, clock: ClockSource = .arrival
    ) {
        self.file = file
        self.events = events
        self.from = from
        self.to = to
        self.presentationTime = presentationTime
        self.frames = frames
        self.bytes = bytes
        self.reasons = reasons
        self.isRecovered = isRecovered
        self.clock = clock
    }
}
