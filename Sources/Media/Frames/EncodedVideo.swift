// SPDX-License-Identifier: Apache-2.0
/// An encoded frame in the memory of a source.
package struct EncodedFrame: Sendable, Equatable {
    /// Counted over all encoded frames of the source, from 1.
    package var number: UInt64
    /// On the time line of `FrameInfo.presentationTime`, in nanoseconds. Frames before the first decoded frame have
    /// negative times. nil without a time stamp.
    package var presentationTime: Int64?
    package var bytes: Int
    /// Whether the frame depends on no other.
    package var isKey: Bool
    /// Counts the changes of the video's format. One file holds frames of one format.
    package var format: Int

    package init(number: UInt64, presentationTime: Int64?, bytes: Int, isKey: Bool, format: Int = 0) {
        self.number = number
        self.presentationTime = presentationTime
        self.bytes = bytes
        self.isKey = isKey
        self.format = format
    }
}

/// The extent of the encoded video in memory.
package struct EncodedFill: Sendable, Equatable {
    package var frames: Int
    package var bytes: Int
    /// From the first frame to the newest.
    package var length: Duration
    /// Whether a group of pictures was larger than the memory for it, so that frames were left out.
    package var hasOverflowed: Bool

    package init(frames: Int, bytes: Int, length: Duration, hasOverflowed: Bool) {
        self.frames = frames
        self.bytes = bytes
        self.length = length
        self.hasOverflowed = hasOverflowed
    }
}

/// The properties of H.264 video that players need before its first frame.
package struct VideoDescription: Sendable, Equatable {
    /// In pixels.
    package var width: Int
    package var height: Int
    /// The decoder configuration record of ISO/IEC 14496-15: the content of an `avcC` box. Four bytes at least.
    package var configuration: [UInt8]

    package init(width: Int, height: Int, configuration: [UInt8]) {
        (self.width, self.height, self.configuration) = (width, height, configuration)
    }

    /// The name of the codec by RFC 6381, such as `avc1.42C01E`.
    package var codec: String {
        let digits = configuration.dropFirst().prefix(3).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return "avc1.\(digits.joined())"
    }
}

/// Encoded video in memory. Any thread may read it.
package protocol EncodedVideo: AnyObject, Sendable {
    var fill: EncodedFill { get }

    /// The presentation time of the newest frame in memory; nil without one, or if it has no time stamp.
    var newestTime: Int64? { get }

    /// The frames after a number, in the order of the stream; all if the frame of that number has been removed. The
    /// first of all is a key frame. Empty before the first decoded frame.
    func frames(after number: UInt64) -> [EncodedFrame]

    /// Begins a file with a key frame in memory.
    ///
    /// - Throws: if the frame is gone, or if the video is neither H.264 nor H.265.
    func makeMuxer(at number: UInt64) throws(SourceError) -> any VideoMuxer
}

/// The camera's own video, as it came.
package protocol CameraVideo: EncodedVideo {
    /// Whether no recent frame has come before an earlier one (B-frames).
    var isInOrder: Bool { get }

    /// The properties of the video that a frame in memory belongs to.
    ///
    /// - Throws: if the frame is gone, or if the video is not H.264.
    func description(at number: UInt64) throws(SourceError) -> VideoDescription

    /// The bytes of a frame: its units, each behind its length in four bytes or as `VideoDescription.configuration`
    /// says. nil if the frame has left the memory.
    func content(of number: UInt64) -> [UInt8]?

    /// Calls a function after each frame, on the source's thread, which the function must not delay. nil: no longer.
    func follow(_ arrived: (@Sendable () -> Void)?)
}

/// A source that may keep encoded video.
package protocol EncodedVideoSource: FrameSource {
    /// nil if the source keeps none.
    var encodedVideo: (any CameraVideo)? { get }
}

/// Writes encoded frames as fragmented MP4, without decoding them. Used by one thread.
package protocol VideoMuxer: AnyObject {
    /// Takes the frames with these numbers that are still in memory.
    ///
    /// - Returns: the number of frames.
    func append(_ numbers: ClosedRange<UInt64>) -> Int

    /// The bytes since the last call.
    func take() throws(SourceError) -> [UInt8]

    /// Ends the video.
    ///
    /// - Returns: the rest of the bytes.
    func finish() throws(SourceError) -> [UInt8]
}
