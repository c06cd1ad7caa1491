// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames

extension PixelFormat {
    package var videoFormat: GstVideoFormat {
        switch self {
        case .nv12: GST_VIDEO_FORMAT_NV12
        case .i420: GST_VIDEO_FORMAT_I420
        case .gray8: GST_VIDEO_FORMAT_GRAY8
        }
    }
}

extension PictureColour {
    package var colorimetry: GstVideoColorimetry {
        var colorimetry = GstVideoColorimetry()
        colorimetry.range = range == .full ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235
        switch matrix {
        case .bt601:
            colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_BT601
            colorimetry.transfer = GST_VIDEO_TRANSFER_BT601
            colorimetry.primaries = GST_VIDEO_COLOR_PRIMARIES_SMPTE170M
        case .bt709:
            colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_BT709
            colorimetry.transfer = GST_VIDEO_TRANSFER_BT709
            colorimetry.primaries = GST_VIDEO_COLOR_PRIMARIES_BT709
        case .bt2020:
            colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_BT2020
            colorimetry.transfer = GST_VIDEO_TRANSFER_BT2020_10
            colorimetry.primaries = GST_VIDEO_COLOR_PRIMARIES_BT2020
        }
        return colorimetry
    }
}
