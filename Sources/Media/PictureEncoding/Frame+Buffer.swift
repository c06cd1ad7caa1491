// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import GStreamerSource

extension Frame {
    /// A copy of the planes with the strides of the library, and its caps. The last columns and rows are repeated up to
    /// a size. The caller owns both.
    ///
    /// - Parameter rate: pictures a second; 0: unknown.
    func buffer(
        width: Int, height: Int, rate: Int = 0
    ) -> (UnsafeMutablePointer<GstBuffer>, UnsafeMutablePointer<GstCaps>)? {
        var info = GstVideoInfo()
        guard gst_video_info_set_format(&info, format.videoFormat, guint(width), guint(height)) != 0,
            let buffer = gst_buffer_new_allocate(nil, info.size, nil)
        else { return nil }
        info.colorimetry = colour.colorimetry
        info.fps_n = gint(rate)
        info.fps_d = 1
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
        guard let caps = gst_video_info_to_caps(&info) else {
            cgst_mini_unref(buffer)
            return nil
        }
        return (buffer, caps)
    }
}
