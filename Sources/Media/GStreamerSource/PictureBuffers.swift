// SPDX-License-Identifier: Apache-2.0
import CGStreamer

/// Buffers for pictures of one layout. A buffer is used again when the last reader of its picture is done, so a stream
/// takes no fresh memory. There are as many as were ever held at once.
final class PictureBuffers {
    private let pool: UnsafeMutablePointer<GstBufferPool>

    /// nil when GStreamer cannot allocate pictures of this layout.
    init?(_ layout: PictureLayout) {
        guard let pool = gst_buffer_pool_new() else { return nil }
        self.pool = pool
        let configuration = gst_buffer_pool_get_config(pool)
        gst_buffer_pool_config_set_params(configuration, layout.caps.pointer, guint(layout.info.size), 0, 0)
        guard gst_buffer_pool_set_config(pool, configuration) != 0, gst_buffer_pool_set_active(pool, 1) != 0 else {
            return nil
        }
    }

    deinit {
        // Buffers that are still read return to an inactive pool, which frees them.
        gst_buffer_pool_set_active(pool, 0)
        gst_object_unref(pool)
    }

    /// A buffer that the caller owns. nil without memory.
    func next() -> UnsafeMutablePointer<GstBuffer>? {
        var buffer: UnsafeMutablePointer<GstBuffer>?
        guard gst_buffer_pool_acquire_buffer(pool, &buffer, nil) == GST_FLOW_OK else { return nil }
        return buffer
    }
}
