// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Synchronization

/// The caps of the filter behind the conversion: the formats that frames may have, and for RGB pictures the matrix
/// and range of JPEG.
///
/// Left alone, `videoconvert` makes limited range of RGB, which takes a seventh of its grey levels. YUV keeps its
/// matrix and range: it is converted only where its format is another.
final class FrameLayouts: Sendable {
    static let any = "video/x-raw,format={NV12,I420,GRAY8}"
    /// Full range, BT.601; videoconvert changes neither transfer function nor primaries.
    static let ofRGB = "video/x-raw,format={NV12,I420},colorimetry=(string)1:4:0:0"

    // Sound: the pipeline that owns the element outlives the probe.
    private nonisolated(unsafe) let filter: Element
    private let isRGB = Mutex(false)

    /// - Parameters:
    ///   - convert: the conversion, whose input decides.
    ///   - filter: a caps filter behind it. This object sets its caps from now on.
    init(of convert: Element, filter: Element) {
        self.filter = filter
        PadProbe.watch(convert, "sink", GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { info in
            guard let event = gst_pad_probe_info_get_event(info), cgst_event_type(event) == GST_EVENT_CAPS else {
                return
            }
            self.follow(event)
        }
    }

    /// On the streaming thread, before the conversion sees the caps. A change of the filter's caps asks the source
    /// whether it has others now, so they change only where they have to.
    private func follow(_ event: UnsafeMutablePointer<GstEvent>) {
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(event, &caps)
        var info = GstVideoInfo()
        guard let caps, gst_video_info_from_caps(&info, caps) != 0 else { return }
        let isNow = info.finfo.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_RGB.rawValue != 0
        let isOther = isRGB.withLock { isRGB in
            defer { isRGB = isNow }
            return isRGB != isNow
        }
        if isOther { cgst_set(filter, "caps", isNow ? Self.ofRGB : Self.any) }
    }
}
