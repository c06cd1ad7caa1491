// SPDX-License-Identifier: Apache-2.0
import CGStreamer

/// Lets a jitter buffer (`rtpjitterbuffer`) end with the end of its stream.
///
/// For video of a known length it sets a timer for the expected end. If the video comes too late, the timer fires
/// before the end. In GStreamer 1.22, a packet that is still held then sets the timer again, and wakes no thread that
/// serves it. At the end, `pop_and_push_next` waits for that timer for ever, and the pipeline cannot be stopped.
/// Without the length no such timer is set.
enum JitterBufferEnd {
    static func makeUnknown(in pipeline: Element) {
        AddedElements.watch(pipeline, type: "rtpjitterbuffer") {
            PadProbe.watch($0, "sink", GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, removeEnd)
        }
    }

    @Sendable private static func removeEnd(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let event = gst_pad_probe_info_get_event(info), cgst_event_type(event) == GST_EVENT_CAPS else { return }
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(event, &caps)
        guard let copy = gst_caps_copy(caps), let structure = gst_caps_get_structure(copy, 0) else { return }
        defer { cgst_mini_unref(copy) }
        gst_structure_remove_field(structure, "npt-stop")
        info.pointee.data = UnsafeMutableRawPointer(gst_event_new_caps(copy))
        cgst_mini_unref(event)
    }
}
