// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import GStreamerSource

extension Frame {
    /// A buffer of the library with this picture, and its caps. The last columns and rows are repeated up to a size. A
    /// buffer of the frame's own size has no memory of its own: it keeps the frame. The caller owns both.
    ///
    /// - Parameter rate: pictures a second; 0: unknown.
    func buffer(
        width: Int, height: Int, rate: Int = 0
    ) -> (UnsafeMutablePointer<GstBuffer>, UnsafeMutablePointer<GstCaps>)? {
        let isWhole = (width, height) == (self.width, self.height)
        var info = GstVideoInfo()
        guard gst_video_info_set_format(&info, format.videoFormat, guint(width), guint(height)) != 0,
            let buffer = isWhole ? wrapped() : gst_buffer_new_allocate(nil, info.size, nil)
        else { return nil }
        info.colorimetry = colour.colorimetry
        info.fps_n = gint(rate)
        info.fps_d = 1
        guard let caps = gst_video_info_to_caps(&info) else {
            cgst_mini_unref(buffer)
            return nil
        }
        if !isWhole { fill(buffer, as: info) }
        return (buffer, caps)
    }

    /// A buffer of a piece of memory for each plane.
    private func wrapped() -> UnsafeMutablePointer<GstBuffer>? {
        let buffer = gst_buffer_new()
        var (offsets, strides): ([gsize], [gint]) = ([], [])
        for (plane, size) in zip(planes, format.planeSizes(width: width, height: height)) {
            offsets.append(gst_buffer_get_size(buffer))
            strides.append(gint(plane.stride))
            let bytes = gsize((size.height - 1) * plane.stride + size.width)
            let memory = gst_memory_new_wrapped(
                GST_MEMORY_FLAG_READONLY, UnsafeMutableRawPointer(mutating: plane.base), bytes, 0, bytes,
                Unmanaged.passRetained(self).toOpaque()
            ) { frame in frame.map { Unmanaged<Frame>.fromOpaque($0).release() } }
            gst_buffer_append_memory(buffer, memory)
        }
        gst_buffer_add_video_meta_full(
            buffer, GST_VIDEO_FRAME_FLAG_NONE, format.videoFormat, guint(width), guint(height), guint(planes.count),
            &offsets, &strides)
        return buffer
    }

    private func fill(_ buffer: UnsafeMutablePointer<GstBuffer>, as info: GstVideoInfo) {
        let (width, height) = (Int(info.width), Int(info.height))
        let (columns, rows) = ((self.width + 1) / 2, (self.height + 1) / 2)
        let (allColumns, allRows) = ((width + 1) / 2, (height + 1) / 2)
        withPlanes { planes in
            /// - Parameter sample: bytes of one.
            func copy(
                _ plane: Plane, columns: (Int, of: Int), rows: (Int, of: Int), sample: Int = 1, offset: gsize,
                stride: gint
            ) {
                var line = [UInt8](repeating: 0, count: columns.of * sample)
                for row in 0..<rows.of {
                    let source = plane.base + min(row, rows.0 - 1) * plane.stride
                    line.withUnsafeMutableBufferPointer { line in
                        _ = line.update(fromContentsOf: UnsafeBufferPointer(start: source, count: columns.0 * sample))
                    }
                    for index in columns.0 * sample..<line.count { line[index] = line[index - sample] }
                    gst_buffer_fill(buffer, offset + gsize(row) * gsize(stride), line, gsize(line.count))
                }
            }
            let offsets = info.offset
            let strides = info.stride
            copy(
                planes[0], columns: (self.width, of: width), rows: (self.height, of: height), offset: offsets.0,
                stride: strides.0)
            let chroma = (columns: (columns, of: allColumns), rows: (rows, of: allRows))
            switch format {
            case .gray8: break
            case .nv12:
                copy(
                    planes[1], columns: chroma.columns, rows: chroma.rows, sample: 2, offset: offsets.1,
                    stride: strides.1)
            case .i420:
                copy(planes[1], columns: chroma.columns, rows: chroma.rows, offset: offsets.1, stride: strides.1)
                copy(planes[2], columns: chroma.columns, rows: chroma.rows, offset: offsets.2, stride: strides.2)
            }
        }
    }
}
