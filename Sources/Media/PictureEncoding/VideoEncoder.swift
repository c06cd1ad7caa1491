// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import GStreamerSource

/// Encodes pictures of one form as H.264 in the form of MP4 files, one at a time. It blocks. Used by one thread.
final class VideoEncoder {
    /// The form of the pictures.
    struct Form: Equatable {
        var width: Int
        var height: Int
        var format: PixelFormat
        var colour: PictureColour

        init(_ frame: Frame) {
            (width, height) = (frame.width, frame.height)
            (format, colour) = (frame.format, frame.colour)
        }
    }

    /// Between two key frames.
    static let group = 10
    /// More for a picture is a library that hangs.
    private static let limit = GstClockTime(10_000_000_000)

    let form: Form
    private let pipeline: MediaPipeline
    private let source: Element
    private let encoder: Element
    private let sink: Element
    private let rate: Int

    /// - Parameters:
    ///   - size: of the video, even.
    ///   - rate: the highest number of pictures a second, for which `bitsPerSecond` is enough.
    init(_ form: Form, size: (width: Int, height: Int), rate: Int, bitsPerSecond: Int) throws(SourceError) {
        try GStreamerRuntime.start()
        (self.form, self.rate) = (form, rate)
        pipeline = try MediaPipeline()
        source = try pipeline.add("appsrc")
        cgst_set(source, "format", "time")
        let filter = try pipeline.addCapsFilter("video/x-raw,format=I420,width=\(size.width),height=\(size.height)")
        encoder = try pipeline.add("openh264enc")
        for (property, value) in [
            ("complexity", "low"), ("rate-control", "bitrate"), ("bitrate", String(bitsPerSecond)),
            ("gop-size", String(Self.group)), ("multi-thread", "1"),
        ] {
            cgst_set(encoder, property, value)
        }
        sink = try pipeline.add("appsink")
        cgst_set_boolean(sink, "sync", 0)
        cgst_set_boolean(sink, "enable-last-sample", 0)
        let chain = [
            source, try pipeline.add("videoscale"), try pipeline.add("videoconvert"), filter, encoder,
            try pipeline.add("h264parse"), try pipeline.addCapsFilter("video/x-h264,stream-format=avc,alignment=au"),
            sink,
        ]
        for (element, next) in zip(chain, chain.dropFirst()) where gst_element_link(element, next) == 0 {
            throw SourceError(.failed, "GStreamer cannot link the elements of an H.264 encoder")
        }
        guard pipeline.play() else { throw SourceError(.failed, "the H.264 encoder cannot be started") }
    }

    deinit { pipeline.stop() }

    /// The next picture will be a key frame.
    func requestKeyFrame() {
        gst_element_send_event(encoder, gst_video_event_new_upstream_force_key_unit(cgst_clock_time_none, 1, 0))
    }

    /// - Parameter time: later than that of the picture before, in nanoseconds.
    /// - Returns: the encoded picture, which the caller owns.
    func encode(_ frame: Frame, at time: Int64) throws(SourceError) -> OpaquePointer {
        let (width, height) = (frame.width.roundedUp(to: 2), frame.height.roundedUp(to: 2))
        guard let (buffer, caps) = frame.buffer(width: width, height: height, rate: rate) else {
            throw SourceError(.failed, "the frame cannot be copied")
        }
        defer { cgst_mini_unref(caps) }
        cgst_buffer_set_times(buffer, GstClockTime(clamping: time), cgst_clock_time_none)
        gst_app_src_set_caps(cgst_app_src(source), caps)
        gst_app_src_push_buffer(cgst_app_src(source), buffer)
        guard let sample = gst_app_sink_try_pull_sample(cgst_app_sink(sink), Self.limit) else {
            throw pipeline.takeFailure(of: "H.264") ?? SourceError(.failed, "the H.264 encoder gives nothing")
        }
        return sample
    }
}
