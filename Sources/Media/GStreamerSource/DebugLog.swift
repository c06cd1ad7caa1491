// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import CGStreamer
import Synchronization

/// GStreamer's own log (`GST_DEBUG`), written by us so that no secret is in it: whatever an element says goes through
/// `Redaction`.
enum DebugLog {
    private static let secrets = Mutex<[String]>([])
    private static let output = open()

    /// Takes the place of the library's own writer. Once, after the library has started; without `GST_DEBUG` it changes
    /// nothing.
    static func install() {
        guard gst_debug_is_active() != 0, output >= 0 else { return }
        gst_debug_remove_log_function(nil)
        gst_debug_add_log_function(
            { category, level, file, function, line, object, message, _ in
                guard let text = gst_debug_log_get_line(category, level, file, function, line, object, message) else {
                    return
                }
                defer { g_free(text) }
                DebugLog.write(String(cString: text))
            }, nil, nil)
    }

    /// From now on this does not appear.
    static func conceal(_ secret: String) {
        secrets.withLock { if !$0.contains(secret) { $0.append(secret) } }
        // From level LOG on it shows requests with a hash of the password.
        guard let category = _gst_debug_get_category("rtspsrc"),
            gst_debug_category_get_threshold(category).rawValue > GST_LEVEL_DEBUG.rawValue
        else { return }
        gst_debug_category_set_threshold(category, GST_LEVEL_DEBUG)
    }

    private static func write(_ text: String) {
        let redacted = secrets.withLock { secrets in secrets.reduce(Redaction(nil)(text)) { Redaction($1)($0) } }
        let bytes = Array(redacted.utf8)
        _ = Glibc.write(output, bytes, bytes.count)
    }

    /// Opens the file of `GST_DEBUG_FILE`, with `%p` and `%r` as the library replaces them, or standard error. The
    /// library has emptied the file.
    private static func open() -> Int32 {
        guard let variable = getenv("GST_DEBUG_FILE") else { return STDERR_FILENO }
        let name = String(cString: variable)
        if name == "-" { return STDOUT_FILENO }
        let path = name.replacing("%p", with: "\(getpid())").replacing("%r", with: "\(UInt32.random(in: 0...(.max)))")
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        return file >= 0 ? file : STDERR_FILENO
    }
}
