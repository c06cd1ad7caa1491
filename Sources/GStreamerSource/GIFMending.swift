import CGStreamer
import Frames
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Mends what GStreamer 1.22 lacks for GIF films: libav's demuxer never notices the file's end and reads there for ever, and libav's
/// decoder gives every picture the time 0.
final class GIFMending: Sendable {
    private struct State {
        /// Of pictures that are in the decoder, in order: GIF has no others.
        var times: [(start: GstClockTime, duration: GstClockTime)] = []
        /// The demuxer reads through the file once to learn what is in it, before it gives the first picture.
        var hasBegun = false
        var isOver = false
    }

    private let fileSize: UInt64
    // Sound: the pipeline that owns the element outlives the probes.
    private nonisolated(unsafe) let decoder: Element
    private let state = Mutex(State())

    /// Whether the file starts as a GIF does.
    static func isWanted(_ path: String) -> Bool {
        guard let file = fopen(path, "re") else { return false }
        defer { fclose(file) }
        var start = [UInt8](repeating: 0, count: 6)
        return fread(&start, 1, 6, file) == 6 && (start == Array("GIF89a".utf8) || start == Array("GIF87a".utf8))
    }

    /// The elements for a GIF file, in the order of the flow.
    static func elements(_ path: String, in pipeline: MediaPipeline) throws(SourceError) -> [Element] {
        let source = try pipeline.add("filesrc")
        cgst_set_string(source, "location", path)
        let elements = [source, try pipeline.add("avdemux_gif"), try pipeline.add("avdec_gif")]
        var status = stat()
        stat(path, &status)
        let mending = GIFMending(fileSize: UInt64(status.st_size), decoder: elements[2])
        mending.watch(source, "src", cgst_probe_before_pull()) { _, info, data in
            guard let info, let data else { return GST_PAD_PROBE_PASS }
            return GIFMending.of(data).willRead(at: UInt64(info.pointee.offset))
        }
        mending.watch(elements[2], "sink", GST_PAD_PROBE_TYPE_BUFFER) { _, info, data in
            if let info, let data { GIFMending.of(data).note(info) }
            return GST_PAD_PROBE_OK
        }
        mending.watch(elements[2], "src", GST_PAD_PROBE_TYPE_BUFFER) { _, info, data in
            if let info, let data { GIFMending.of(data).restore(info) }
            return GST_PAD_PROBE_OK
        }
        return elements
    }

    private init(fileSize: UInt64, decoder: Element) {
        self.fileSize = fileSize
        self.decoder = decoder
    }

    /// On the demuxer's thread, which has passed on everything it read before: at the file's end it is told so, and sleeps.
    private func willRead(at offset: UInt64) -> GstPadProbeReturn {
        guard offset >= fileSize, state.withLock(\.hasBegun) else { return GST_PAD_PROBE_PASS }
        let isNews = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isNews, let pad = gst_element_get_static_pad(decoder, "sink") {
            gst_pad_send_event(pad, gst_event_new_eos())
            cgst_unref(pad)
        }
        return GST_PAD_PROBE_OK
    }

    private func note(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let buffer = gst_pad_probe_info_get_buffer(info) else { return }
        state.withLock { state in
            state.hasBegun = true
            state.times.append((cgst_buffer_pts(buffer), cgst_buffer_duration(buffer)))
        }
    }

    private func restore(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        let time = state.withLock { $0.times.isEmpty ? nil : $0.times.removeFirst() }
        if let time { cgst_probe_set_times(info, time.start, time.duration) }
    }

    /// Probes a pad for as long as it lives; the probe keeps this object.
    private func watch(_ element: Element, _ name: String, _ type: GstPadProbeType, _ callback: GstPadProbeCallback) {
        guard let pad = gst_element_get_static_pad(element, name) else { return }
        defer { cgst_unref(pad) }
        gst_pad_add_probe(pad, type, callback, Unmanaged.passRetained(self).toOpaque()) { data in
            data.map { Unmanaged<GIFMending>.fromOpaque($0).release() }
        }
    }

    private static func of(_ data: gpointer) -> GIFMending {
        Unmanaged<GIFMending>.fromOpaque(data).takeUnretainedValue()
    }
}
