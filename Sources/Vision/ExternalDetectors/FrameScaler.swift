// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Detectors
import Frames
import GStreamerSource
import Settings

/// Writes frames in another size and layout into memory, by GStreamer's converter.
final class FrameScaler {
    private struct Conversion: Equatable {
        var format: PixelFormat
        var width: Int
        var height: Int
        var colour: PictureColour
        var picture: RingLayout.Picture
    }

    private var conversion: Conversion?
    private var converter: OpaquePointer?
    private var (from, to) = (GstVideoInfo(), GstVideoInfo())

    deinit { if let converter { gst_video_converter_free(converter) } }

    /// Fills `memory`, which has room for `picture.bytes`.
    func scale(
        _ frame: Frame, to picture: RingLayout.Picture, in memory: UnsafeMutablePointer<UInt8>
    ) throws(DetectorError) {
        // A grey picture takes nothing but the luma.
        let format = picture.format == .gray8 ? .gray8 : frame.format
        let wanted = Conversion(
            format: format, width: frame.width, height: frame.height, colour: frame.colour, picture: picture)
        if conversion != wanted { try prepare(wanted) }
        frame.withPlanes { planes in
            var (source, target) = (GstVideoFrame(), GstVideoFrame())
            (source.info, target.info) = (from, to)
            for (index, plane) in planes.prefix(format.planeCount).enumerated() {
                cgst_frame_set_plane(
                    &source, guint(index), UnsafeMutablePointer(mutating: plane.base), gint(plane.stride))
            }
            let stride = gint(picture.stride)
            cgst_frame_set_plane(&target, 0, memory, stride)
            if picture.format == .nv12 {
                cgst_frame_set_plane(&target, 1, memory + picture.stride * picture.height, stride)
            }
            gst_video_converter_frame(converter, &source, &target)
        }
    }

    private func prepare(_ conversion: Conversion) throws(DetectorError) {
        if let converter { gst_video_converter_free(converter) }
        (converter, self.conversion) = (nil, nil)
        do {
            try GStreamerRuntime.start()
        } catch {
            throw DetectorError(error.description)
        }
        let picture = conversion.picture
        gst_video_info_set_format(
            &from, conversion.format.videoFormat, guint(conversion.width), guint(conversion.height))
        gst_video_info_set_format(&to, picture.format.videoFormat, guint(picture.width), guint(picture.height))
        from.colorimetry = conversion.colour.colorimetry
        // RGB has a meaning of its own. Luma and chroma stay as they are.
        if picture.format != .rgb24 { to.colorimetry = from.colorimetry }
        converter = cgst_converter_new(&from, &to)
        guard converter != nil else { throw DetectorError("GStreamer cannot scale its frames") }
        self.conversion = conversion
    }
}

extension ExternalSettings.Format {
    fileprivate var videoFormat: GstVideoFormat {
        switch self {
        case .gray8: GST_VIDEO_FORMAT_GRAY8
        case .nv12: GST_VIDEO_FORMAT_NV12
        case .rgb24: GST_VIDEO_FORMAT_RGB
        }
    }
}
