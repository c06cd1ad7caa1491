// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames

/// The layout of a stream's pictures, from its caps.
struct PictureLayout {
    /// Kept, so that no other caps can have the same address.
    let caps: KeptCaps
    let info: GstVideoInfo
    let format: PixelFormat
    let colour: PictureColour
    /// Pixels.
    let width: Int
    let height: Int

    /// nil when the pictures are not of a kind that frames may have.
    init?(_ caps: UnsafeMutablePointer<GstCaps>) {
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps) != 0 else { return nil }
        switch cgst_frame_format(&info) {
        case GST_VIDEO_FORMAT_NV12: format = .nv12
        case GST_VIDEO_FORMAT_I420: format = .i420
        case GST_VIDEO_FORMAT_GRAY8: format = .gray8
        default: return nil
        }
        colour = PictureColour(info.colorimetry)
        (width, height) = (Int(cgst_frame_width(&info)), Int(cgst_frame_height(&info)))
        self.info = info
        self.caps = KeptCaps(caps)
    }
}

extension PictureColour {
    /// GStreamer has filled in what the stream does not say: BT.709 for high definition, else BT.601.
    fileprivate init(_ colorimetry: GstVideoColorimetry) {
        let matrix: Matrix =
            switch colorimetry.matrix {
            case GST_VIDEO_COLOR_MATRIX_BT709: .bt709
            case GST_VIDEO_COLOR_MATRIX_BT2020: .bt2020
            default: .bt601
            }
        self.init(matrix: matrix, range: colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255 ? .full : .limited)
    }
}

/// A reference to caps.
final class KeptCaps {
    let pointer: UnsafeMutablePointer<GstCaps>

    init(_ caps: UnsafeMutablePointer<GstCaps>) {
        cgst_mini_ref(caps)
        pointer = caps
    }

    deinit { cgst_mini_unref(pointer) }
}
