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

package enum VideoCodec: String, Sendable {
    case h264 = "H.264"
    case h265 = "H.265"
}

/// The properties of video that players need before its first frame.
package struct VideoDescription: Sendable, Equatable {
    package var codec: VideoCodec
    /// In pixels.
    package var width: Int
    package var height: Int
    /// The decoder configuration record of ISO/IEC 14496-15: the content of an `avcC` or `hvcC` box. Four bytes at
    /// least.
    package var configuration: [UInt8]

    package init(codec: VideoCodec = .h264, width: Int, height: Int, configuration: [UInt8]) {
        (self.codec, self.width, self.height, self.configuration) = (codec, width, height, configuration)
    }

    /// The name of H.264 video by RFC 6381, such as `avc1.42C01E`.
    package var name: String {
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

    /// The properties of the video that a frame in memory belongs to.
    ///
    /// - Throws: if the frame is gone, or if the video is neither H.264 nor H.265.
    func description(at number: UInt64) throws(SourceError) -> VideoDescription

    /// The bytes of a frame: its units, each behind its length in four bytes or as `VideoDescription.configuration`
    /// says. nil if the frame has left the memory.
    func content(of number: UInt64) -> [UInt8]?
}

/// The camera's own video, as it came.
package protocol CameraVideo: EncodedVideo {
    /// Whether no recent frame has come before an earlier one (B-frames).
    var isInOrder: Bool { get }

    /// Calls a function after each frame, on the source's thread, which the function must not delay. nil: no longer.
    func follow(_ arrived: (@Sendable () -> Void)?)
}

/// A source that may keep encoded video.
package protocol EncodedVideoSource: FrameSource {
    /// nil if the source keeps none.
    var encodedVideo: (any CameraVideo)? { get }
}
