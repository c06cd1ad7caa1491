// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames

/// Writes frames of an `EncodedStore` as fragmented MP4, with a fragment for each second at least.
final class FragmentMuxer: VideoMuxer {
    private static let patience = Duration.seconds(5)
    /// The least time between two frames in nanoseconds: a tick of `mp4mux`.
    private static let shortest: Int64 = 100_000

    private let store: EncodedStore
    private let pipeline: MediaPipeline
    private let source: Element
    private let sink: Element
    /// The video begins with 0; in nanoseconds.
    private let shift: Int64
    private let keepsDecodingTimes: Bool
    /// The time of the newest frame in the video, in nanoseconds.
    private var last = -FragmentMuxer.shortest

    /// - Parameter first: the key frame with which the video begins.
    init(_ first: EncodedBuffer, _ store: EncodedStore) throws(SourceError) {
        let parsers = ["video/x-h264": "h264parse", "video/x-h265": "h265parse"]
        let caps = first.format.caps
        guard let parser = parsers.first(where: { caps.hasPrefix($0.key) })?.value else {
            throw SourceError(.failed, "the video is neither H.264 nor H.265, so no clip can be cut from it")
        }
        self.store = store
        keepsDecodingTimes = !store.isInOrder
        let decoding = cgst_buffer_dts(first.buffer)
        let start = keepsDecodingTimes && decoding != cgst_clock_time_none ? decoding : cgst_buffer_pts(first.buffer)
        shift = start == cgst_clock_time_none ? 0 : -Int64(clamping: start)
        pipeline = try MediaPipeline()
        source = try pipeline.add("appsrc")
        cgst_set(source, "caps", caps)
        cgst_set(source, "format", "time")
        let muxer = try pipeline.add("mp4mux")
        cgst_set_uint(muxer, "fragment-duration", 1000)
        cgst_set_boolean(muxer, "streamable", 1)
        sink = try pipeline.add("appsink")
        cgst_set_boolean(sink, "sync", 0)
        cgst_set_boolean(sink, "enable-last-sample", 0)
        cgst_set_boolean(sink, "wait-on-eos", 0)
        let elements = [source, try pipeline.add(parser), muxer, sink]
        for (element, next) in zip(elements, elements.dropFirst()) {
            guard gst_element_link(element, next) != 0 else {
                throw SourceError(.failed, "the media elements of a clip do not fit together")
            }
        }
        guard pipeline.play() else { throw SourceError(.failed, "the media elements of a clip cannot be started") }
    }

    func append(_ numbers: ClosedRange<UInt64>) -> Int {
        let items = store.items(numbers)
        for item in items {
            guard let buffer = cgst_buffer_shifted(item.buffer.buffer, gint64(shift)) else { continue }
            if !keepsDecodingTimes { cgst_buffer_clear_dts(buffer) }
            // A jitter buffer lets no time run backwards, so frames can have equal times. The source's parser
            // takes the second one's away, and the muxer fails without it.
            if !keepsDecodingTimes || cgst_buffer_pts(buffer) == cgst_clock_time_none {
                last = max(item.time + shift, last + Self.shortest)
                cgst_buffer_set_pts(buffer, GstClockTime(clamping: last))
            }
            gst_app_src_push_buffer(cgst_app_src(source), buffer)
        }
        return items.count
    }

    func take() throws(SourceError) -> [UInt8] {
        if let error = pipeline.takeFailure(of: "clip") { throw error }
        var bytes: [UInt8] = []
        while pull(0, into: &bytes) {}
        return bytes
    }

    func finish() throws(SourceError) -> [UInt8] {
        var bytes: [UInt8] = []
        gst_app_src_end_of_stream(cgst_app_src(source))
        let deadline = ContinuousClock.now + Self.patience
        while gst_app_sink_is_eos(cgst_app_sink(sink)) == 0 {
            if pull(100_000_000, into: &bytes) { continue }
            if let error = pipeline.takeFailure(of: "clip") { throw error }
            guard ContinuousClock.now < deadline else { throw SourceError(.failed, "the clip does not end") }
        }
        pipeline.stop()
        return bytes
    }

    /// - Returns: false without a sample within the time, in nanoseconds.
    private func pull(_ timeout: GstClockTime, into bytes: inout [UInt8]) -> Bool {
        guard let sample = gst_app_sink_try_pull_sample(cgst_app_sink(sink), timeout) else { return false }
        defer { gst_sample_unref(sample) }
        guard let buffer = gst_sample_get_buffer(sample) else { return true }
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return true }
        defer { gst_buffer_unmap(buffer, &map) }
        bytes.append(contentsOf: UnsafeBufferPointer(start: map.data, count: Int(map.size)))
        return true
    }
}
