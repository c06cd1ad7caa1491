import CGStreamer
import Frames

/// The library's start. Safe to call from any thread, as often as one likes.
enum GStreamerRuntime {
    private static let startError: String? = {
        var error: UnsafeMutablePointer<GError>?
        guard gst_init_check(nil, nil, &error) == 0 else { return nil }
        defer { g_clear_error(&error) }
        return error.map { String(cString: $0.pointee.message) } ?? "unknown reason"
    }()

    static func start() throws(SourceError) {
        if let startError { throw SourceError(.notInstalled, "GStreamer does not start: \(startError)") }
    }
}

/// The version and elements of this machine's GStreamer, for `glimpsed doctor`.
package enum GStreamerInventory {
    /// nil when GStreamer does not start.
    package static var version: String? {
        guard (try? GStreamerRuntime.start()) != nil, let text = gst_version_string() else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// What to do about an element that is not there.
    package static func advice(forElement element: String) -> String { DebianPackage.advice(forElement: element) }

    package static func has(element: String) -> Bool {
        guard (try? GStreamerRuntime.start()) != nil, let factory = gst_element_factory_find(element) else { return false }
        cgst_unref(UnsafeMutableRawPointer(factory))
        return true
    }
}
