// SPDX-License-Identifier: Apache-2.0
import CGStreamer

/// Watches what arrives at or leaves an element.
enum PadProbe {
    /// Whether the item may pass.
    typealias Seen = @Sendable (UnsafeMutablePointer<GstPadProbeInfo>) -> Bool

    private final class Watcher: Sendable {
        let seen: Seen

        init(_ seen: @escaping Seen) {
            self.seen = seen
        }
    }

    /// - Parameters:
    ///   - pad: the name of one that the element has from the start.
    ///   - seen: called on the streaming thread, which goes on when it returns. It is kept as long as the pad lives.
    static func watch(
        _ element: Element, _ pad: String, _ type: GstPadProbeType,
        _ seen: @escaping @Sendable (UnsafeMutablePointer<GstPadProbeInfo>) -> Void
    ) {
        filter(element, pad, type) {
            seen($0)
            return true
        }
    }

    /// Watches, and lets pass only the items for which `passes` returns true.
    static func filter(_ element: Element, _ pad: String, _ type: GstPadProbeType, passes seen: @escaping Seen) {
        guard let pad = gst_element_get_static_pad(element, pad) else { return }
        defer { cgst_unref(pad) }
        gst_pad_add_probe(
            pad, type,
            { _, info, data in
                guard let info, let data else { return GST_PAD_PROBE_OK }
                let passes = Unmanaged<Watcher>.fromOpaque(data).takeUnretainedValue().seen(info)
                return passes ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
            }, Unmanaged.passRetained(Watcher(seen)).toOpaque()
        ) { data in
            data.map { Unmanaged<Watcher>.fromOpaque($0).release() }
        }
    }

    /// Tells the elements before a sink that the sink reads pictures with any strides. So a decoder gives its own
    /// memory instead of a packed copy.
    static func takeStrides(_ sink: Element) {
        guard let pad = gst_element_get_static_pad(sink, "sink") else { return }
        defer { cgst_unref(pad) }
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
            { _, info, _ in info.map { cgst_probe_take_strides($0) } ?? GST_PAD_PROBE_OK }, nil, nil)
    }
}
