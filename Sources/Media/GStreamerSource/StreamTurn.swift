// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Settings
import Synchronization

/// Turns a stream's pictures upright, as the configuration or the stream's own tag says, and tells of each how it was
/// turned.
///
/// Everything happens on the streaming thread, in the order of the stream: pictures before a new tag keep the old
/// orientation.
final class StreamTurn: Sendable {
    private struct State {
        var orientation: Orientation
        var frames: UInt64 = 0
    }

    // Sound: the pipeline that owns the element outlives the probes.
    private nonisolated(unsafe) let flip: Element
    private let followsTags: Bool
    private let mirror: Bool
    private let decoding: DecodeWatch
    private let valve: (any SourceValve)?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - flip: a `videoflip`. This object sets its direction from now on.
    ///   - decoding: knows for how long a picture was on its way.
    ///   - valve: numbers the frames of a source that may idle; nil for every other source.
    init(
        _ flip: Element, rotation: RotationSetting, mirror: Bool, decoding: DecodeWatch,
        valve: (any SourceValve)? = nil
    ) {
        self.flip = flip
        self.valve = valve
        self.decoding = decoding
        self.mirror = mirror
        let orientation: Orientation
        switch rotation {
        case .auto: (followsTags, orientation) = (true, Orientation(mirrored: mirror))
        case .fixed(let degrees):
            (followsTags, orientation) = (false, Orientation(rotation: degrees.rawValue, mirrored: mirror))
        }
        state = Mutex(State(orientation: orientation))
        direct(orientation)
    }

    /// `videoflip` (1.22) copies even a picture that it leaves as it is.
    private func direct(_ orientation: Orientation) {
        cgst_set(flip, "video-direction", orientation.videoDirection)
        gst_base_transform_set_passthrough(cgst_base_transform(flip), orientation == Orientation() ? 1 : 0)
    }

    /// Watches the tags that arrive at the flip, and stamps the frames that arrive at the sink.
    func attach(sink: Element) {
        if followsTags {
            PadProbe.watch(flip, "sink", GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { info in
                self.follow(gst_pad_probe_info_get_event(info))
            }
        }
        PadProbe.watch(sink, "sink", GST_PAD_PROBE_TYPE_BUFFER) { self.stamp($0) }
        PadProbe.takeStrides(sink)
    }

    private func follow(_ event: UnsafeMutablePointer<GstEvent>?) {
        guard let event else { return }
        switch cgst_event_type(event) {
        case GST_EVENT_STREAM_START: turn(Orientation())
        case GST_EVENT_TAG: Self.orientationTag(event).map { turn(Orientation(tag: $0)) }
        default: break
        }
    }

    private func turn(_ tagged: Orientation) {
        let orientation = tagged.flipped(mirror)
        let isNew = state.withLock { state in
            defer { state.orientation = orientation }
            return state.orientation != orientation
        }
        if isNew { direct(orientation) }
    }

    private func stamp(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        let time = gst_pad_probe_info_get_buffer(info).flatMap { decoding.end(cgst_buffer_pts($0), at: .now) }
        let (count, orientation) = state.withLock { state in
            state.frames += 1
            return (state.frames, state.orientation)
        }
        let (number, role) = valve?.leave(info, count: count) ?? (count, .ordinary)
        cgst_probe_stamp(info, guint64(number), guint64(PictureMark(orientation, role: role, decodeTime: time).bits))
    }

    private static func orientationTag(_ event: UnsafeMutablePointer<GstEvent>) -> String? {
        var tags: UnsafeMutablePointer<GstTagList>?
        gst_event_parse_tag(event, &tags)
        var text: UnsafeMutablePointer<gchar>?
        guard let tags, gst_tag_list_get_string(tags, GST_TAG_IMAGE_ORIENTATION, &text) != 0, let text else {
            return nil
        }
        defer { g_free(text) }
        return String(cString: text)
    }
}
