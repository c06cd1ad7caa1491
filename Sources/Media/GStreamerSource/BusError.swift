// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames

extension SourceError {
    /// An error message from the bus in words, without the library's debug text: that one names internals and may hold
    /// addresses.
    ///
    /// - Parameter lacking: the decoders that the pipeline asked for in vain.
    init(
        _ message: UnsafeMutablePointer<GstMessage>, about subject: String, lacking: [String], redact: Redaction
    ) {
        var error: UnsafeMutablePointer<GError>?
        var details: UnsafeMutablePointer<gchar>?
        gst_message_parse_error(message, &error, &details)
        defer {
            g_clear_error(&error)
            g_free(details)
        }
        guard let error else {
            self.init(.failed, "\(subject): the media pipeline failed for an unknown reason")
            return
        }
        if Self.isAboutDecoders(error.pointee) {
            let decoders = lacking.map { "no \($0)" }.joined(separator: " and ")
            self =
                lacking.isEmpty
                ? SourceError(.unreadable, "\(subject): has no video in it")
                : SourceError(.notInstalled, "\(subject): GStreamer has \(decoders) here; \(DebianPackage.codecAdvice)")
            return
        }
        let element = cgst_message_source(message).flatMap { cgst_is_element($0) != 0 ? cgst_element($0) : nil }
        if let details, String(cString: details).contains("not-negotiated") {
            let problem = "it has no pictures of the requested width, height, rate or format"
            self.init(
                .misconfigured,
                "\(subject): \(element.map(Self.name) ?? "the source"): \(problem); ask for others, or for none")
            return
        }
        let name = element.map(Self.name) ?? ""
        let said = redact(String(cString: error.pointee.message))
        let (kind, advice) = Self.meaning(of: error.pointee)
        let origin = name.isEmpty ? "" : " (\(name))"
        self.init(kind, "\(subject): \(Self.withoutFullStop(said))\(origin)\(advice.map { "; \($0)" } ?? "")")
    }

    /// The name of the decoder in a "missing-plugin" message, such as "H.264 (Main Profile) decoder". nil for other
    /// messages, and for media that the pipeline does not use.
    static func lackingDecoder(_ message: UnsafeMutablePointer<GstMessage>) -> String? {
        guard let structure = gst_message_get_structure(message),
            let name = gst_structure_get_string(structure, "name"),
            let caps = gst_structure_get_value(structure, "detail").flatMap(gst_value_get_caps),
            let media = gst_caps_get_structure(caps, 0).map({ String(cString: gst_structure_get_name($0)) }),
            media.hasPrefix("video/") || media.hasPrefix("image/")
        else { return nil }
        return String(cString: name)
    }

    /// The element's type, with its name from the text if it has one: `filesrc`, or `filesrc film`.
    private static func name(_ element: Element) -> String {
        let factory = String(cString: cgst_factory_name(element))
        guard let given = gst_object_get_name(cgst_object(element)) else { return factory }
        defer { g_free(given) }
        let name = String(cString: given)
        // Those without a name are counted: filesrc0.
        let isCounted = name.hasPrefix(factory) && name.dropFirst(factory.count).allSatisfy(\.isNumber)
        return isCounted ? factory : "\(factory) \(name)"
    }

    private static func isAboutDecoders(_ error: GError) -> Bool {
        error.domain == gst_core_error_quark() && GstCoreError(UInt32(error.code)) == GST_CORE_ERROR_MISSING_PLUGIN
            || error.domain == gst_stream_error_quark()
                && GstStreamError(UInt32(error.code)) == GST_STREAM_ERROR_CODEC_NOT_FOUND
    }

    private static func meaning(of error: GError) -> (SourceError.Kind, advice: String?) {
        switch error.domain {
        case gst_resource_error_quark():
            switch GstResourceError(UInt32(error.code)) {
            case GST_RESOURCE_ERROR_NOT_FOUND: (.missing, nil)
            case GST_RESOURCE_ERROR_NOT_AUTHORIZED: (.forbidden, "check the user and the password")
            case GST_RESOURCE_ERROR_BUSY: (.failed, "another program uses the device")
            case GST_RESOURCE_ERROR_OPEN_READ, GST_RESOURCE_ERROR_OPEN_READ_WRITE:
                (.failed, "check that the camera is switched on and the address is right")
            default: (.failed, nil)
            }
        case gst_stream_error_quark():
            switch GstStreamError(UInt32(error.code)) {
            case GST_STREAM_ERROR_TYPE_NOT_FOUND, GST_STREAM_ERROR_WRONG_TYPE:
                (.unreadable, "GStreamer recognises neither a picture nor a video in it")
            case GST_STREAM_ERROR_DECODE, GST_STREAM_ERROR_DEMUX, GST_STREAM_ERROR_FORMAT:
                (.unreadable, "the file is damaged, or its name has the wrong suffix")
            default: (.unreadable, nil)
            }
        default: (.failed, nil)
        }
    }

    private static func withoutFullStop(_ text: String) -> String {
        text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
