import CGStreamer
import Frames
import Settings
import TestScene

/// A running GStreamer pipeline that ends in our appsink. Every start makes a new one: a pipeline that failed is never revived.
final class SourceGraph {
    enum Output {
        /// Owned by the receiver.
        case sample(OpaquePointer)
        case nothing
        case ended
        case failed(SourceError)
    }

    /// What people call this source in an error.
    let subject: String
    private let pipeline: Element
    private let sink: Element
    private let bus: UnsafeMutablePointer<GstBus>
    private let secret: String?
    private let orientationProbe: OrientationProbe
    private let fixedOrientation: Orientation?
    private let mirror: Bool
    private let link: PadLink
    private var isStopped = false

    init(
        _ settings: SourceSettings, password: String?, scene: (any ScenePainting)?, orientation: OrientationProbe
    ) throws(SourceError) {
        let head: SourceHead =
            if case .test("scene", let frames) = settings.kind, let scene {
                try SourceHead(scene: scene, settings, frames: frames)
            } else {
                try SourceHead(settings, password: password)
            }
        subject = head.subject
        secret = head.secret
        orientationProbe = orientation
        mirror = settings.mirror
        fixedOrientation =
            switch settings.rotation {
            case .auto: nil
            case .fixed(let degrees): Orientation(rotation: degrees.rawValue, mirrored: settings.mirror)
            }
        let tail = try Self.tail(fixedOrientation, mirror: settings.mirror)
        let sink = try Self.appSink(pace: settings.pace, paced: head.isPacedBySink)
        guard let pipeline = gst_pipeline_new(nil), let bus = gst_element_get_bus(pipeline) else {
            throw SourceError(.failed, "GStreamer cannot make a pipeline")
        }
        self.pipeline = pipeline
        self.sink = sink
        self.bus = bus
        for element in head.elements + tail + [sink] { gst_bin_add(cgst_bin(pipeline), element) }
        link = PadLink(to: tail[0])
        try Self.connect(head.elements, link: link, subject: head.subject)
        for (element, next) in zip(tail, tail.dropFirst() + [sink]) where gst_element_link(element, next) == 0 {
            throw SourceError(.failed, "\(head.subject): the media elements do not fit together")
        }
        if fixedOrientation == nil, let pad = gst_element_get_static_pad(tail[2], "sink") {
            orientation.watch(pad)
            cgst_unref(pad)
        }
        if settings.pace == .realtime, let pad = gst_element_get_static_pad(sink, "sink") {
            cgst_number_buffers(pad)
            cgst_unref(pad)
        }
    }

    deinit {
        stop()
        cgst_unref(bus)
        cgst_unref(pipeline)
    }

    /// What has been applied to make the pictures upright.
    var orientation: Orientation { fixedOrientation ?? orientationProbe.current.flipped(mirror) }

    /// The pipeline's running time in nanoseconds; nil while it has no clock.
    var runningTimeNow: Int64? {
        guard let clock = gst_element_get_clock(pipeline) else { return nil }
        defer { cgst_unref(clock) }
        let (now, base) = (gst_clock_get_time(clock), gst_element_get_base_time(pipeline))
        return now >= base ? Int64(clamping: now - base) : nil
    }

    func play() throws(SourceError) {
        guard gst_element_set_state(pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE else { return }
        throw failure() ?? SourceError(.failed, "\(subject): cannot be started")
    }

    func pull(timeout: Duration) -> Output {
        let nanoseconds = GstClockTime(clamping: timeout.components.seconds * 1_000_000_000 + timeout.components.attoseconds / 1_000_000_000)
        if let sample = gst_app_sink_try_pull_sample(cgst_app_sink(sink), nanoseconds) { return .sample(sample) }
        if let error = failure() { return .failed(error) }
        guard gst_app_sink_is_eos(cgst_app_sink(sink)) != 0 else { return .nothing }
        return .ended
    }

    func stop() {
        guard !isStopped else { return }
        isStopped = true
        gst_element_set_state(pipeline, GST_STATE_NULL)
    }

    /// The error that the bus holds, if any.
    private func failure() -> SourceError? {
        while let message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR) {
            defer { cgst_mini_unref(message) }
            let error = SourceError(message, about: subject, redact: redact)
            // A demuxer whose streams all lead nowhere reports an internal error; what people need to know is this.
            if link.sawOnlyOtherMedia { return SourceError(.unreadable, "\(subject): has no video in it") }
            return error
        }
        return nil
    }

    private func redact(_ text: String) -> String {
        guard let secret, !secret.isEmpty else { return text }
        return text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "***")
    }

    // MARK: Building

    /// Conversion, the layouts that detectors read, and the turn to upright; each passes buffers through where there is nothing to do.
    private static func tail(_ fixed: Orientation?, mirror: Bool) throws(SourceError) -> [Element] {
        let convert = try ElementFactory.make("videoconvert")
        let layouts = try ElementFactory.capsFilter("video/x-raw,format={NV12,I420,GRAY8}")
        let flip = try ElementFactory.make("videoflip")
        cgst_set(flip, "video-direction", fixed?.videoDirection ?? "auto")
        guard fixed == nil, mirror else { return [convert, layouts, flip] }
        let mirror = try ElementFactory.make("videoflip")
        cgst_set(mirror, "video-direction", "horiz")
        return [convert, layouts, flip, mirror]
    }

    /// Holds one frame. Live: the newest, never waiting for anybody. Files: every one, holding up the decoder.
    private static func appSink(pace: Pace, paced: Bool) throws(SourceError) -> Element {
        let sink = try ElementFactory.make("appsink")
        cgst_set_uint(sink, "max-buffers", 1)
        cgst_set_boolean(sink, "drop", pace == .realtime ? 1 : 0)
        cgst_set_boolean(sink, "sync", paced ? 1 : 0)
        cgst_set_boolean(sink, "enable-last-sample", 0)
        cgst_set_boolean(sink, "wait-on-eos", 0)
        return sink
    }

    /// Links the head's elements, at once where pads exist and by callback where they appear with the stream.
    private static func connect(_ elements: [Element], link: PadLink, subject: String) throws(SourceError) {
        for (element, next) in zip(elements, elements.dropFirst()) {
            if element.pointee.numsrcpads == 0 {
                PadLink(to: next).watch(element)
            } else if gst_element_link(element, next) == 0 {
                throw SourceError(.failed, "\(subject): the media elements do not fit together")
            }
        }
        guard let last = elements.last else { return }
        if last.pointee.numsrcpads == 0 {
            link.watch(last)
        } else if !link.connect(last) {
            throw SourceError(.unreadable, "\(subject): does not end in raw video")
        }
    }
}
