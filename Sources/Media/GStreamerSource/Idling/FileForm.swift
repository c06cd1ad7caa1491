// SPDX-License-Identifier: Apache-2.0
import CGStreamer

/// Brings H.264 and H.265 into the form of MP4 files, which clips and viewers need.
///
/// `parsebin` does so with most streams. It keeps the form of a camera's device, which is a stream of bytes.
enum FileForm {
    private static let forms = [
        "video/x-h264": (parser: "h264parse", caps: "video/x-h264,stream-format=avc,alignment=au"),
        "video/x-h265": (parser: "h265parse", caps: "video/x-h265,stream-format=hvc1,alignment=au"),
    ]

    /// A parser in front of an element of a pipeline. Called by the thread that makes the pad.
    ///
    /// - Parameter pad: the pad to link with the parser.
    /// - Returns: nil if the pad's video needs no parser.
    static func parser(for pad: UnsafeMutablePointer<GstPad>, before next: Element) -> Element? {
        // The pad of `parsebin` has no caps yet, but knows which are possible.
        guard let caps = gst_pad_query_caps(pad, nil) else { return nil }
        defer { cgst_mini_unref(caps) }
        guard let structure = gst_caps_get_structure(caps, 0),
            let form = forms[String(cString: gst_structure_get_name(structure))],
            let wanted = gst_caps_from_string(form.caps)
        else { return nil }
        defer { cgst_mini_unref(wanted) }
        guard gst_caps_can_intersect(caps, wanted) == 0, let bin = gst_object_get_parent(cgst_object(next)) else {
            return nil
        }
        defer { cgst_unref(bin) }
        guard let parser = gst_element_factory_make(form.parser, nil),
            let filter = gst_element_factory_make("capsfilter", nil)
        else { return nil }
        cgst_set(filter, "caps", form.caps)
        for element in [parser, filter] { gst_bin_add(cgst_bin(bin), element) }
        gst_element_link(parser, filter)
        gst_element_link(filter, next)
        for element in [filter, parser] { gst_element_sync_state_with_parent(element) }
        return parser
    }
}
