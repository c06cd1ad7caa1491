// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import Observations
import Synchronization

/// Paints the masks into a stream's upright pictures on the streaming thread, before the appsink has them.
///
/// A buffer whose memory is the stream's alone is painted in place. Memory that a decoder still reads is copied,
/// without the masked samples, into memory that is used again. A picture that cannot be painted is dropped.
final class MaskPainting: Sendable {
    // Sound: caps are counted atomically and never written, and the pool of buffers locks itself.
    private struct State: @unchecked Sendable {
        var mask: FrameMask
        var layout: PictureLayout?
        /// For pictures of `layout`; nil until a picture has to be copied.
        var copies: PictureBuffers?
    }

    private let state: Mutex<State>

    init(_ masks: [Mask]) { state = Mutex(State(mask: FrameMask(masks))) }

    func attach(sink: Element) {
        // Sound: the pipeline that owns the element outlives the probe.
        nonisolated(unsafe) let sink = sink
        PadProbe.filter(sink, "sink", GST_PAD_PROBE_TYPE_BUFFER) { [self] info in
            guard let pad = gst_element_get_static_pad(sink, "sink") else { return false }
            defer { cgst_unref(pad) }
            guard let caps = gst_pad_get_current_caps(pad) else { return false }
            defer { cgst_mini_unref(caps) }
            return paint(info, caps)
        }
    }

    private func paint(_ probe: UnsafeMutablePointer<GstPadProbeInfo>, _ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
        state.withLock { state in
            if state.layout?.caps.pointer != caps {
                state.layout = PictureLayout(caps)
                state.copies = nil
            }
            guard let layout = state.layout, let buffer = gst_pad_probe_info_get_buffer(probe) else { return false }
            if cgst_buffer_is_exclusive(buffer) != 0 {
                return Self.write(buffer, layout) {
                    state.mask.paint($0, layout.format, width: layout.width, height: layout.height)
                }
            }
            if state.copies == nil { state.copies = PictureBuffers(layout) }
            guard let mapped = MappedFrame(buffer, layout), let source = mapped.planes(layout.format.planeCount),
                let copy = state.copies?.next()
            else { return false }
            let isPainted = withExtendedLifetime(mapped) {
                Self.write(copy, layout) {
                    state.mask.copy(source, to: $0, layout.format, width: layout.width, height: layout.height)
                }
            }
            cgst_probe_replace(probe, copy)
            return isPainted
        }
    }

    /// Maps a buffer that nobody else holds. False if it cannot be mapped.
    private static func write(
        _ buffer: UnsafeMutablePointer<GstBuffer>, _ layout: PictureLayout, _ body: ([MutablePlane]) -> Void
    ) -> Bool {
        var info = layout.info
        var frame = GstVideoFrame()
        guard cgst_video_frame_map_write(&frame, &info, buffer) != 0 else { return false }
        defer { gst_video_frame_unmap(&frame) }
        var planes: [MutablePlane] = []
        for index in 0..<UInt32(layout.format.planeCount) {
            guard let base = cgst_plane_data(&frame, index) else { return false }
            planes.append(
                MutablePlane(base: UnsafeMutablePointer(mutating: base), stride: Int(cgst_plane_stride(&frame, index))))
        }
        body(planes)
        return true
    }
}
