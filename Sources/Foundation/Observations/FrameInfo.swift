// SPDX-License-Identifier: Apache-2.0
/// The data of a frame apart from its pixels. All sizes are of the upright picture.
public struct FrameInfo: Sendable, Equatable, Codable {
    /// Counts the starts of the worker, from 1.
    public var epoch: UInt64
    /// Counts frames *received* from 1, so that jumps show drops.
    public var sequence: UInt64
    /// Presentation (running) time in nanoseconds, first frame 0.
    public var presentationTime: Int64
    /// Wall clock of capture.
    public var time: Timestamp
    /// The clock of `time`.
    public var clock: ClockSource
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The rotation that made the picture upright, in degrees clockwise.
    public var rotation: Int
    /// Whether the picture was flipped left and right, after the rotation.
    public var mirrored: Bool

    public init(
        epoch: UInt64 = 1, sequence: UInt64, presentationTime: Int64, time: Timestamp, clock: ClockSource,
        width: Int, height: Int, rotation: Int = 0, mirrored: Bool = false
    ) {
        self.epoch = epoch
        self.sequence = sequence
        self.presentationTime = presentationTime
        self.time = time
        self.clock = clock
        self.width = width
        self.height = height
        self.rotation = rotation
        self.mirrored = mirrored
    }

    /// Presentation time in seconds.
    public var seconds: Double { Double(presentationTime) / 1e9 }
}
