// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames

/// The library's start. Safe to call from any thread, as often as one likes.
package enum GStreamerRuntime {
    private static let startError: String? = {
        var error: UnsafeMutablePointer<GError>?
        guard gst_init_check(nil, nil, &error) == 0 else {
            DebugLog.install()
            chooseDecoders()
            return nil
        }
        defer { g_clear_error(&error) }
        return error.map { String(cString: $0.pointee.message) } ?? "unknown reason"
    }()

    package static func start() throws(SourceError) {
        if let startError { throw SourceError(.notInstalled, "GStreamer does not start: \(startError)") }
    }

    /// Chooses the decoders of still pictures for which `decodebin` in GStreamer 1.22 chooses wrongly.
    private static func chooseDecoders() {
        // Reads the EXIF orientation, which the decoder does not. It has no rank of its own.
        rank("jpegparse", guint(GST_RANK_PRIMARY.rawValue) + 1)
        // libav's BMP and TIFF decoders want the whole file in one buffer, which only small files are. PNG, JPEG and
        // WebP have decoders of their own that stay ahead of this one.
        rank("gdkpixbufdec", guint(GST_RANK_MARGINAL.rawValue) + 1)
        // libav's GIF demuxer reads at the file's end for ever, holding a lock that other decoders need. `GIFFile` does
        // without.
        rank("avdemux_gif", guint(GST_RANK_NONE.rawValue))
    }

    /// Gives an element another rank in this process.
    static func rank(_ element: String, _ rank: guint) {
        guard let feature = gst_registry_lookup_feature(gst_registry_get(), element) else { return }
        gst_plugin_feature_set_rank(feature, rank)
        cgst_unref(UnsafeMutableRawPointer(feature))
    }
}
