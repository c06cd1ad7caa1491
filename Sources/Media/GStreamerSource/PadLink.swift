// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Synchronization

/// Joins the first video pad that an element makes to what comes after it; other media stay unlinked, which costs
/// nothing.
final class PadLink: Sendable {
    // Sound: the pipeline that owns the element outlives every callback.
    private nonisolated(unsafe) let next: Element
    private let takesEncodedVideo: Bool
    private let isRefused = Mutex(false)

    /// - Parameter takesEncodedVideo: whether the element needs encoded video in the form of MP4 files.
    init(to next: Element, takesEncodedVideo: Bool = false) {
        (self.next, self.takesEncodedVideo) = (next, takesEncodedVideo)
    }

    /// Whether the video that came is not the kind that `next` takes.
    var wasRefused: Bool { isRefused.withLock(\.self) }

    /// Joins the pads that the element will make; the element keeps this object.
    func watch(_ element: Element) {
        cgst_connect_pad_added(
            element,
            { _, pad, data in
                guard let pad, let data else { return }
                Unmanaged<PadLink>.fromOpaque(data).takeUnretainedValue().join(pad)
            }, Unmanaged.passRetained(self).toOpaque(),
            { data, _ in data.map { Unmanaged<PadLink>.fromOpaque($0).release() } })
    }

    /// Joins an element that has its pad already.
    func connect(_ element: Element) -> Bool {
        gst_element_link(element, next) != 0
    }

    private func join(_ pad: UnsafeMutablePointer<GstPad>) {
        guard isVideo(pad), let sink = gst_element_get_static_pad(next, "sink") else { return }
        defer { cgst_unref(sink) }
        // Only the first video stream counts; a file may have several.
        guard gst_pad_is_linked(sink) == 0 else { return }
        if takesEncodedVideo, let parser = FileForm.parser(for: pad, before: next) {
            return PadLink(to: parser).join(pad)
        }
        if gst_pad_link(pad, sink) != GST_PAD_LINK_OK { isRefused.withLock { $0 = true } }
    }

    private func isVideo(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
        guard let caps = gst_pad_get_current_caps(pad) ?? gst_pad_query_caps(pad, nil) else { return false }
        defer { cgst_mini_unref(caps) }
        guard gst_caps_get_size(caps) > 0, let structure = gst_caps_get_structure(caps, 0) else { return false }
        let name = String(cString: gst_structure_get_name(structure))
        if name.hasPrefix("video/") || name.hasPrefix("image/") { return true }
        guard name == "application/x-rtp", let media = gst_structure_get_string(structure, "media") else {
            return false
        }
        return String(cString: media) == "video"
    }
}
