import CGStreamer
import Frames
import Observations

/// A buffer of the media pipeline, mapped for reading. The last reference unmaps it and gives the buffer back.
final class MappedFrame {
    private let frame: UnsafeMutablePointer<GstVideoFrame>

    /// nil when the buffer cannot be mapped as the picture that its caps promise (too short, say).
    init?(_ buffer: UnsafeMutablePointer<GstBuffer>, info: inout GstVideoInfo) {
        frame = .allocate(capacity: 1)
        guard cgst_video_frame_map_read(frame, &info, buffer) != 0 else {
            frame.deallocate()
            return nil
        }
    }

    deinit {
        gst_video_frame_unmap(frame)
        frame.deallocate()
    }

    func planes(_ count: Int) -> [Plane]? {
        var planes: [Plane] = []
        for index in 0..<UInt32(count) {
            guard let base = cgst_plane_data(frame, index) else { return nil }
            planes.append(Plane(base: base, stride: Int(cgst_plane_stride(frame, index))))
        }
        return planes
    }
}

/// What a stream's caps say about its pictures.
struct PictureLayout {
    private(set) var info: GstVideoInfo
    let format: PixelFormat

    init?(_ caps: UnsafeMutablePointer<GstCaps>) {
        info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps) != 0 else { return nil }
        switch cgst_frame_format(&info) {
        case GST_VIDEO_FORMAT_NV12: format = .nv12
        case GST_VIDEO_FORMAT_I420: format = .i420
        case GST_VIDEO_FORMAT_GRAY8: format = .gray8
        default: return nil
        }
    }

    var width: Int { withUnsafePointer(to: info) { Int(cgst_frame_width($0)) } }
    var height: Int { withUnsafePointer(to: info) { Int(cgst_frame_height($0)) } }

    mutating func map(_ buffer: UnsafeMutablePointer<GstBuffer>) -> MappedFrame? {
        MappedFrame(buffer, info: &info)
    }
}
