import CGStreamer
import Frames
import Observations

#if canImport(Glibc)
    import Glibc
#endif

/// A frame as a JPEG file.
package enum JPEGFile {
    /// More for a picture is a library that hangs.
    private static let limit = GstClockTime(10_000_000_000)

    /// Encodes a frame, as upright as it is, and puts the file in place of what was there in one step. Mode 0640.
    package static func write(_ frame: Frame, to path: String) throws(SourceError) {
        let bytes = try encode(frame)
        let part = "\(path).part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { throw failure(part) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = failure(part)
                close(descriptor)
                unlink(part)
                throw error
            }
            rest.removeFirst(count)
        }
        close(descriptor)
        guard rename(part, path) == 0 else { throw failure(path) }
    }

    /// - Throws: when there is no encoder.
    static func encode(_ frame: Frame) throws(SourceError) -> [UInt8] {
        guard let sample = sample(of: frame), let caps = gst_caps_new_empty_simple("image/jpeg") else {
            throw SourceError(.failed, "the frame cannot be copied")
        }
        defer {
            gst_sample_unref(sample)
            cgst_mini_unref(caps)
        }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let encoded = gst_video_convert_sample(sample, caps, limit, &error),
            let buffer = gst_sample_get_buffer(encoded)
        else {
            let reason = error.map { String(cString: $0.pointee.message) } ?? "the encoder gives nothing"
            throw SourceError(.failed, "no JPEG picture: \(reason); \(DebianPackage.advice(forElement: "jpegenc"))")
        }
        defer { gst_sample_unref(encoded) }
        var bytes = [UInt8](repeating: 0, count: Int(gst_buffer_get_size(buffer)))
        let count = gst_buffer_extract(buffer, 0, &bytes, gsize(bytes.count))
        return Array(bytes.prefix(Int(count)))
    }

    /// The frame's planes in memory of their own, with the library's own strides.
    private static func sample(of frame: Frame) -> OpaquePointer? {
        var info = GstVideoInfo()
        let format =
            switch frame.format {
            case .nv12: GST_VIDEO_FORMAT_NV12
            case .i420: GST_VIDEO_FORMAT_I420
            case .gray8: GST_VIDEO_FORMAT_GRAY8
            }
        guard gst_video_info_set_format(&info, format, guint(frame.width), guint(frame.height)) != 0,
            let buffer = gst_buffer_new_allocate(nil, info.size, nil)
        else { return nil }
        defer { cgst_mini_unref(buffer) }
        let (columns, rows) = ((frame.width + 1) / 2, (frame.height + 1) / 2)
        frame.withPlanes { planes in
            func copy(_ plane: Plane, bytes: Int, rows: Int, offset: gsize, stride: gint) {
                for row in 0..<rows {
                    gst_buffer_fill(
                        buffer, offset + gsize(row) * gsize(stride), plane.base + row * plane.stride, gsize(bytes))
                }
            }
            copy(planes[0], bytes: frame.width, rows: frame.height, offset: info.offset.0, stride: info.stride.0)
            switch frame.format {
            case .gray8: break
            case .nv12:
                copy(planes[1], bytes: 2 * columns, rows: rows, offset: info.offset.1, stride: info.stride.1)
            case .i420:
                copy(planes[1], bytes: columns, rows: rows, offset: info.offset.1, stride: info.stride.1)
                copy(planes[2], bytes: columns, rows: rows, offset: info.offset.2, stride: info.stride.2)
            }
        }
        guard let caps = gst_video_info_to_caps(&info) else { return nil }
        defer { cgst_mini_unref(caps) }
        return gst_sample_new(buffer, caps, nil, nil)
    }

    private static func failure(_ path: String) -> SourceError {
        SourceError(.failed, "\(path): \(String(cString: strerror(errno)))")
    }
}
