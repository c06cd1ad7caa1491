import CGStreamer
import Synchronization

/// Listens for the stream's orientation tag where it passes, because `videoflip` takes it out.
final class OrientationProbe: Sendable {
    private let orientation = Mutex(Orientation())

    var current: Orientation { orientation.withLock { $0 } }

    /// Watches the tags that arrive at `pad` for as long as the pad lives.
    func watch(_ pad: UnsafeMutablePointer<GstPad>) {
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { _, info, data in
                if let info, let data, let tag = OrientationProbe.orientationTag(info) {
                    let probe = Unmanaged<OrientationProbe>.fromOpaque(data).takeUnretainedValue()
                    probe.orientation.withLock { $0 = Orientation(tag: tag) }
                }
                return GST_PAD_PROBE_OK
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in data.map { Unmanaged<OrientationProbe>.fromOpaque($0).release() } })
    }

    private static func orientationTag(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> String? {
        guard cgst_event_is_tag(info) != 0, let event = gst_pad_probe_info_get_event(info) else { return nil }
        var tags: UnsafeMutablePointer<GstTagList>?
        gst_event_parse_tag(event, &tags)
        var text: UnsafeMutablePointer<gchar>?
        guard let tags, gst_tag_list_get_string(tags, "image-orientation", &text) != 0, let text else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}
