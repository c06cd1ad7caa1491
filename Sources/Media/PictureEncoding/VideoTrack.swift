// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import GStreamerSource

/// Encodes a sequence of pictures into a store. Used by one thread.
struct VideoTrack {
    /// The highest number of pictures a second.
    static let rate = 10
    /// Wider pictures are made smaller.
    static let mostWidth = 1280
    /// After a longer pause, in nanoseconds, the video goes on with a key frame.
    static let longestPause: Int64 = 5_000_000_000

    private var encoder: VideoEncoder?
    /// The presentation time of the newest picture.
    private var last: Int64 = 0

    /// A tenth of a bit for each pixel.
    static func bitsPerSecond(width: Int, height: Int) -> Int { width * height * rate / 10 }

    /// After an error, the next picture has a new encoder.
    mutating func append(_ frame: Frame, to store: EncodedStore) throws(SourceError) {
        let (time, form) = (frame.info.presentationTime, VideoEncoder.Form(frame))
        let encoder: VideoEncoder
        if let kept = self.encoder, kept.form == form, time > last {
            encoder = kept
            if time - last > Self.longestPause { encoder.requestKeyFrame() }
        } else {
            encoder = try makeEncoder(form, frame)
        }
        self.encoder = nil
        let sample = try encoder.encode(frame, at: time)
        defer { gst_sample_unref(sample) }
        store.append(sample)
        (self.encoder, last) = (encoder, time)
    }

    private func makeEncoder(_ form: VideoEncoder.Form, _ frame: Frame) throws(SourceError) -> VideoEncoder {
        let size = PictureEncoder.Form(maximumWidth: Self.mostWidth).size(of: frame)
        // 4:2:0 chroma needs even sizes.
        let even = (width: size.width.roundedUp(to: 2), height: size.height.roundedUp(to: 2))
        return try VideoEncoder(
            form, size: even, rate: Self.rate,
            bitsPerSecond: Self.bitsPerSecond(width: even.width, height: even.height))
    }
}
