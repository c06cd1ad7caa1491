// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames

/// A buffer of the media pipeline, mapped for reading. The last reference unmaps it and gives the buffer back.
final class MappedFrame {
    private let frame: UnsafeMutablePointer<GstVideoFrame>

    /// nil when the buffer cannot be mapped as the picture that its caps promise (too short, say).
    init?(_ buffer: UnsafeMutablePointer<GstBuffer>, _ layout: PictureLayout) {
        frame = .allocate(capacity: 1)
        var info = layout.info
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
