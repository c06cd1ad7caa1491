// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames

/// Somebody's pipeline text as a bin whose one open end is the pad `src`.
enum LaunchText {
    /// The element that ends the text: a text may end in caps, or in an element that makes its pad later.
    private static let outputName = "glimpse_output"

    /// The bin belongs to nobody yet.
    ///
    /// - Parameter password: takes the place of `{password}` in the elements' properties, once there are elements: the
    ///   parser logs its text.
    static func bin(_ text: String, password: String?) throws(SourceError) -> Element {
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        let bin = gst_parse_bin_from_description("\(text) ! identity silent=true name=\(outputName)", 0, &error)
        guard let bin, let element = cgst_element(bin), error == nil else {
            cgst_unref(bin)
            throw failure(error)
        }
        do {
            try openEnd(of: element)
            try check(element)
            if let password { try fill(element, password) }
        } catch {
            cgst_unref(bin)
            throw error
        }
        return element
    }

    private static func failure(_ error: UnsafeMutablePointer<GError>?) -> SourceError {
        guard let error else { return wrong("the text makes no pipeline") }
        let said = Redaction(nil)(String(cString: error.pointee.message))
        // The code also stands for references to names that no element has.
        if error.pointee.code == Int32(GST_PARSE_ERROR_NO_SUCH_ELEMENT.rawValue), said.hasPrefix("no element") {
            let element = said.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
            return SourceError(.notInstalled, "launch: \(said); \(DebianPackage.advice(forElement: element))")
        }
        let parts = said.split(separator: outputName, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return wrong(said) }
        return wrong("the text must end in raw video, without a sink: \(parts.joined(separator: "the output"))")
    }

    /// Only the output becomes a pad of the bin: pads inside that wait for a late one must stay open.
    private static func openEnd(of bin: Element) throws(SourceError) {
        guard let output = gst_bin_get_by_name(cgst_bin(bin), outputName) else {
            throw wrong("the text makes no pipeline")
        }
        defer { cgst_unref(output) }
        guard let pad = gst_element_get_static_pad(output, "src") else { throw wrong("the text makes no pipeline") }
        defer { cgst_unref(pad) }
        gst_element_add_pad(bin, gst_ghost_pad_new("src", pad))
    }

    private static func fill(_ bin: Element, _ password: String) throws(SourceError) {
        DebugLog.conceal(password)
        guard replace(in: bin, password) > 0 else {
            throw wrong("no property of an element has {password} in it")
        }
    }

    private static func replace(in bin: Element, _ password: String) -> Int32 {
        children(bin).reduce(0) { count, element in
            count + cgst_replace_in_strings(element, "{password}", password)
                + (cgst_is_bin(element) != 0 ? replace(in: element, password) : 0)
        }
    }

    private static func check(_ bin: Element) throws(SourceError) {
        var hasSource = false
        for element in children(bin) {
            let factory = String(cString: cgst_factory_name(element))
            if factory == "appsink" {
                throw wrong("remove the appsink: the text must end in raw video, and Glimpse adds its own")
            }
            if element.pointee.numsinkpads == 0 { hasSource = true }
            let outputs = pads(element.pointee.srcpads)
            guard outputs.isEmpty || outputs.contains(where: { gst_pad_is_linked($0) != 0 }) else {
                throw wrong("the output of \(factory) is not linked; every branch but the last must end in a sink")
            }
        }
        if !hasSource { throw wrong("nothing in the text is a source") }
    }

    /// Nobody else knows the bin yet, so its lists stand still.
    private static func children(_ bin: Element) -> [Element] {
        list(cgst_bin(bin).pointee.children).map { $0.assumingMemoryBound(to: GstElement.self) }
    }

    private static func pads(_ first: UnsafeMutablePointer<GList>?) -> [UnsafeMutablePointer<GstPad>] {
        list(first).map { $0.assumingMemoryBound(to: GstPad.self) }
    }

    private static func list(_ first: UnsafeMutablePointer<GList>?) -> [UnsafeMutableRawPointer] {
        sequence(first: first, next: { $0?.pointee.next }).prefix { $0 != nil }.compactMap { $0?.pointee.data }
    }

    private static func wrong(_ problem: String) -> SourceError { SourceError(.misconfigured, "launch: \(problem)") }
}
