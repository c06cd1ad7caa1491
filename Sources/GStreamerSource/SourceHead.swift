import CGStreamer
import Frames
import Settings

/// The part of a source that differs by kind: elements in a bin, and the one whose (perhaps later) source pad gives video.
struct SourceHead {
    /// What people call this source in an error.
    var subject: String
    /// In the order of the flow; all but the last are linked to the next.
    var elements: [Element]
    /// What must never appear in a message.
    var secret: String?
    /// Whether the sink must wait for each frame's time, because the source itself would not.
    var isPacedBySink = false

    /// Everything but the built-in scene and playlists, which have sources of their own.
    init(_ settings: SourceSettings, password: String?) throws(SourceError) {
        switch settings.kind {
        case .v4l2(let device):
            try FileCheck.device(device)
            subject = device
            let source = try ElementFactory.make("v4l2src")
            cgst_set_string(source, "device", device)
            elements = [source]
            if let caps = Self.requested(settings, media: ["video/x-raw", "image/jpeg", "video/x-h264"]) {
                elements.append(try ElementFactory.capsFilter(caps))
            }
            elements.append(try ElementFactory.make("decodebin"))
        case .rtsp(let camera):
            subject = camera.url
            secret = password
            let source = try Self.rtspSource(camera, password: password)
            elements = [source, try ElementFactory.make("decodebin")]
        case .file(let path, _, _), .images(let path, _, _):
            try FileCheck.file(path)
            subject = path
            let source = try ElementFactory.make("filesrc")
            cgst_set_string(source, "location", path)
            elements = [source, try ElementFactory.make("decodebin")]
            isPacedBySink = settings.pace == .realtime
        case .test(let pattern, let frames):
            subject = "test pattern \(pattern)"
            let source = try ElementFactory.make("videotestsrc")
            cgst_set(source, "pattern", pattern)
            cgst_set_boolean(source, "is-live", frames == 0 ? 1 : 0)
            if frames > 0 { cgst_set(source, "num-buffers", String(frames)) }
            elements = [source]
            if let caps = Self.requested(settings, media: ["video/x-raw"]) {
                elements.append(try ElementFactory.capsFilter(caps))
            }
        case .launch(let text):
            subject = "launch"
            elements = [try Self.parse(text)]
        }
    }

    /// Caps with the size and rate that the settings ask for; nil when they ask for nothing.
    private static func requested(_ settings: SourceSettings, media: [String]) -> String? {
        var fields = ""
        if let width = settings.width { fields += ",width=\(width)" }
        if let height = settings.height { fields += ",height=\(height)" }
        if let rate = settings.fps { fields += ",framerate=\(rate.numerator)/\(rate.denominator)" }
        return fields.isEmpty ? nil : media.map { $0 + fields }.joined(separator: ";")
    }

    private static func rtspSource(_ camera: RTSPSettings, password: String?) throws(SourceError) -> Element {
        let source = try ElementFactory.make("rtspsrc")
        cgst_set_string(source, "location", camera.url)
        if let user = camera.user { cgst_set_string(source, "user-id", user) }
        if let password { cgst_set_string(source, "user-pw", password) }
        switch camera.transport {
        case .tcp: cgst_set(source, "protocols", "tcp")
        case .udp: cgst_set(source, "protocols", "udp")
        case .auto: cgst_set(source, "protocols", "udp+tcp")
        }
        let milliseconds = camera.latency.components.seconds * 1000 + camera.latency.components.attoseconds / 1_000_000_000_000_000
        cgst_set_uint(source, "latency", guint(milliseconds))
        cgst_set_boolean(source, "drop-on-latency", 1)
        return source
    }

    /// A bin made of somebody's text, with a ghost pad on its open end.
    private static func parse(_ text: String) throws(SourceError) -> Element {
        guard !text.contains("appsink") else {
            throw SourceError(.failed, "launch: the text must end in raw video; the appsink is added by the daemon")
        }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        // The identity ends a text whose last part is caps or an element that makes its pad later.
        let bin = gst_parse_bin_from_description("\(text) ! identity silent=true name=\(outputName)", 0, &error)
        if let error {
            cgst_unref(bin)
            let said = String(cString: error.pointee.message)
            let missing = error.pointee.code == Int32(GST_PARSE_ERROR_NO_SUCH_ELEMENT.rawValue)
            let element = said.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
            throw SourceError(
                missing ? .notInstalled : .failed,
                "launch: \(said)" + (missing ? ": \(DebianPackage.advice(forElement: element))" : ""))
        }
        guard let bin, let element = cgst_element(bin) else {
            throw SourceError(.failed, "launch: the text makes no pipeline")
        }
        // Only this output becomes a pad of the bin: pads inside that wait for a late one must stay open.
        guard let output = gst_bin_get_by_name(cgst_bin(bin), outputName),
            let pad = gst_element_get_static_pad(output, "src")
        else {
            cgst_unref(bin)
            throw SourceError(.failed, "launch: the text makes no pipeline")
        }
        gst_element_add_pad(element, gst_ghost_pad_new("src", pad))
        cgst_unref(pad)
        cgst_unref(output)
        return element
    }

    /// The element that ends a `launch` text.
    private static let outputName = "glimpse_output"
}
