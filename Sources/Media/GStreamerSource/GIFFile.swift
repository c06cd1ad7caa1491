// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A GIF film on its way into libav's decoder. GStreamer 1.22 has no other demuxer for it than libav's, which never
/// ends; `GIFPackets` takes its place.
final class GIFFile {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    /// Used by the appsrc's thread alone once there is one.
    private var packets: GIFPackets?
    private let found = Mutex<GIFPackets.Damage?>(nil)

    /// nil when the file does not begin as GIFs do. Throws when it does and then is none.
    init?(_ path: String) throws(SourceError) {
        guard let file = fopen(path, "re") else { return nil }
        self.path = path
        self.file = file
        guard GIFPackets.signatures.contains(Self.read(6, from: file)) else { return nil }
        rewind(file)
        do throws(GIFPackets.Damage) {
            packets = try GIFPackets { Self.read($0, from: file) }
        } catch {
            throw Self.error(error, path)
        }
    }

    deinit { fclose(file) }

    /// In the order of the flow.
    func elements(in pipeline: MediaPipeline) throws(SourceError) -> [Element] {
        let (source, decoder) = (try pipeline.add("appsrc"), try pipeline.add("avdec_gif"))
        let size = packets.map { "width=\($0.width),height=\($0.height)" } ?? ""
        cgst_set(source, "caps", "image/gst-libav-gif,parsed=true,framerate=0/1,\(size)")
        cgst_set(source, "format", "time")
        cgst_set_uint(source, "max-buffers", 2)
        AppSourceFeed.attach(source, fill: push)
        keepTimes(decoder)
        return [source, decoder]
    }

    /// Why the film ended before its end. From any thread.
    func damage() -> SourceError? { found.withLock(\.self).map { Self.error($0, path) } }

    private func push(to source: AppSourceFeed.Target) {
        do throws(GIFPackets.Damage) {
            guard let packet = try packets?.next(),
                let buffer = gst_buffer_new_memdup(packet.bytes, gsize(packet.bytes.count))
            else {
                gst_app_src_end_of_stream(source)
                return
            }
            cgst_buffer_set_times(buffer, GstClockTime(packet.start), GstClockTime(packet.duration))
            gst_app_src_push_buffer(source, buffer)
        } catch {
            found.withLock { $0 = error }
            gst_app_src_end_of_stream(source)
        }
    }

    /// The decoder paints every picture over the first one's memory, and GStreamer takes each for the first: all come
    /// out with its time. A picture comes out within the call that puts it in, so the last time put in is the right
    /// one.
    private func keepTimes(_ decoder: Element) {
        let current = CurrentTimes()
        PadProbe.watch(decoder, "sink", GST_PAD_PROBE_TYPE_BUFFER) { current.note($0) }
        PadProbe.watch(decoder, "src", GST_PAD_PROBE_TYPE_BUFFER) { current.restore($0) }
    }

    private static func read(_ count: Int, from file: UnsafeMutablePointer<FILE>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = fread(buffer.baseAddress, 1, count, file)
        }
    }

    private static func error(_ damage: GIFPackets.Damage, _ path: String) -> SourceError {
        SourceError(.unreadable, "\(path): \(damage.description)")
    }
}

/// The times of the picture that is being decoded.
private final class CurrentTimes: Sendable {
    private let times = Mutex<(start: GstClockTime, duration: GstClockTime)>((0, 0))

    func note(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let buffer = gst_pad_probe_info_get_buffer(info) else { return }
        times.withLock { $0 = (cgst_buffer_pts(buffer), cgst_buffer_duration(buffer)) }
    }

    func restore(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        let (start, duration) = times.withLock(\.self)
        cgst_probe_set_times(info, start, duration)
    }
}
