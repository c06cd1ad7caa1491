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
