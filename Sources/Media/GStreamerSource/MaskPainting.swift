import CGStreamer
import Frames
import Observations
import Synchronization

/// Paints the masks into a stream's upright pictures on the streaming thread, before the appsink has them.
///
/// A buffer whose memory is the stream's alone is painted in place. Memory that a decoder still reads is copied. A
/// picture that cannot be painted is dropped.
final class MaskPainting: Sendable {
    private struct State: @unchecked Sendable {  // Sound: the layout's caps are counted atomically and never written.
        var mask: FrameMask
        var layout: PictureLayout?
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
            if state.layout?.caps.pointer != caps { state.layout = PictureLayout(caps) }
            guard let layout = state.layout else { return false }
            var info = layout.info
            var frame = GstVideoFrame()
            guard cgst_probe_map_write(&frame, &info, probe) != 0 else { return false }
            defer { gst_video_frame_unmap(&frame) }
            var planes: [MutablePlane] = []
            for index in 0..<UInt32(layout.format.planeCount) {
                guard let base = cgst_plane_data(&frame, index) else { return false }
                planes.append(
                    MutablePlane(
                        base: UnsafeMutablePointer(mutating: base), stride: Int(cgst_plane_stride(&frame, index))))
            }
            state.mask.paint(planes, layout.format, width: layout.width, height: layout.height)
            return true
        }
    }
}
