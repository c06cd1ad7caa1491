// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import Settings
import TestScene

/// A pipeline that ends in our appsink. Every start makes a new one: a pipeline that failed is never revived.
final class SourceGraph {
    enum Output {
        /// Owned by the receiver.
        case sample(OpaquePointer)
        case nothing
        case ended
        case failed(SourceError)
    }

    /// The name of this source in errors.
    let subject: String
    private let pipeline: MediaPipeline
    private let sink: Element
    private let redaction: Redaction
    private let link: PadLink
    /// nil if the source never idles.
    let valve: (any SourceValve)?
    let decoding: DecodeWatch
    private let watchesFlow: Bool
    private let damage: () -> SourceError?
    private let needsEncodedVideo: Bool
    private var stoodStillSince: ContinuousClock.Instant?

    /// - Parameters:
    ///   - store: takes the encoded frames; nil if the settings ask for none.
    ///   - camera: GStreamer text in the place of a camera's device.
    init(
        _ settings: SourceSettings, password: String?, scene: (any ScenePainting)?, store: EncodedStore? = nil,
        camera: String? = nil
    ) throws(SourceError) {
        let pipeline = try MediaPipeline()
        DecoderSettings.apply(to: pipeline.element, threads: settings.decodeThreads)
        JitterBufferEnd.makeUnknown(in: pipeline.element)
        PacketTimes.make(in: pipeline.element)
        if let store, settings.holdsFrames, case .rtsp(let camera) = settings.kind, camera.transport == .tcp {
            PacketPauses.make(in: pipeline.element, store)
        }
        let head: SourceHead =
            if case .test("scene", let frames) = settings.kind, let scene {
                try SourceHead(scene: scene, settings, frames: frames, in: pipeline)
            } else {
                try SourceHead(settings, password: password, camera: camera, in: pipeline)
            }
        // Each passes buffers through where there is nothing to do.
        let convert = try pipeline.add("videoconvert")
        decoding = DecodeWatch(pipeline, convert: convert)
        let layouts = try pipeline.addCapsFilter(FrameLayouts.any)
        _ = FrameLayouts(of: convert, filter: layouts)
        let flip = try pipeline.add("videoflip")
        sink = try Self.appSink(pace: settings.pace, paced: head.isPacedBySink, in: pipeline)
        subject = head.subject
        if settings.ring.duration > .zero, head.encoded == nil {
            throw SourceError(.misconfigured, "\(head.subject): source.ring: the file has no encoded frames")
        }
        redaction = Redaction(password)
        link = PadLink(to: convert)
        watchesFlow = !settings.isLive
        damage = head.damage
        if case .v4l2 = settings.kind { needsEncodedVideo = head.encoded != nil } else { needsEncodedVideo = false }
        self.pipeline = pipeline
        if let store, let encoded = head.encoded, settings.holdsFrames {
            valve = IdleValve(store, queue: encoded, sink: sink)
        } else {
            valve = settings.idles.flatMap { idling in head.pictures.map { PictureValve(idling, behind: $0) } }
            head.encoded.map { store?.watch($0) }
        }
        StreamTurn(flip, rotation: settings.rotation, mirror: settings.mirror, decoding: decoding, valve: valve)
            .attach(sink: sink)
        if !settings.masks.isEmpty { MaskPainting(settings.masks).attach(sink: sink) }
        for (element, next) in [(convert, layouts), (layouts, flip), (flip, sink)] {
            try Self.link(element, next, subject)
        }
        try connect(head)
    }

    var runningTime: Int64? { pipeline.runningTime }

    func play() throws(SourceError) {
        guard !pipeline.play() else { return }
        throw failure() ?? SourceError(.failed, "\(subject): cannot be started")
    }

    func pull(timeout: Duration) -> Output {
        let nanoseconds = GstClockTime(max(0, timeout / .nanoseconds(1)))
        if let sample = gst_app_sink_try_pull_sample(cgst_app_sink(sink), nanoseconds) { return .sample(sample) }
        if let error = failure() { return .failed(error) }
        if gst_app_sink_is_eos(cgst_app_sink(sink)) != 0 { return damage().map { .failed($0) } ?? .ended }
        return hasDied() ? .failed(SourceError(.unreadable, "\(subject): gives no picture; is it damaged?")) : .nothing
    }

    /// `decodebin` (1.22) loses the error of a demuxer that fails while it is being plugged in, and then waits for
    /// ever.
    private func hasDied() -> Bool {
        guard watchesFlow, !pipeline.isFlowing else {
            stoodStillSince = nil
            return false
        }
        let since = stoodStillSince ?? .now
        stoodStillSince = since
        return .now - since > .milliseconds(500)
    }

    func stop() { pipeline.stop() }

    private func failure() -> SourceError? {
        var lacking: [String] = []
        while let message = pipeline.takeFailure() {
            defer { cgst_mini_unref(message) }
            guard cgst_message_type(message) == GST_MESSAGE_ERROR else {
                SourceError.lackingDecoder(message).map { lacking.append($0) }
                continue
            }
            let error = SourceError(message, about: subject, lacking: lacking, redact: redaction)
            guard needsEncodedVideo, error.kind == .misconfigured else { return error }
            return SourceError(
                .misconfigured, "\(error.description); source.ring needs a camera that gives JPEG, H.264 or H.265")
        }
        if link.wasRefused {
            return SourceError(.failed, "\(subject): gives video in memory that only a graphics card reads")
        }
        return nil
    }

    // MARK: Building

    /// Holds one frame. Live: the newest, never waiting for anybody. Files: every one, holding up the decoder.
    private static func appSink(pace: Pace, paced: Bool, in pipeline: MediaPipeline) throws(SourceError) -> Element {
        let sink = try pipeline.add("appsink")
        cgst_set_uint(sink, "max-buffers", 1)
        cgst_set_boolean(sink, "drop", pace == .realtime ? 1 : 0)
        cgst_set_boolean(sink, "sync", paced ? 1 : 0)
        cgst_set_boolean(sink, "enable-last-sample", 0)
        cgst_set_boolean(sink, "wait-on-eos", 0)
        return sink
    }

    /// Links the head's elements, at once where pads exist and by callback where they appear with the stream.
    private func connect(_ head: SourceHead) throws(SourceError) {
        let elements = head.elements
        for (element, next) in zip(elements, elements.dropFirst()) {
            if element.pointee.numsrcpads == 0 {
                PadLink(to: next, takesEncodedVideo: next == head.encoded).watch(element)
            } else {
                try Self.link(element, next, subject)
            }
        }
        guard let last = elements.last else { return }
        if last.pointee.numsrcpads == 0 {
            link.watch(last)
        } else if !link.connect(last) {
            throw SourceError(.misconfigured, "\(subject): does not end in raw video")
        }
    }

    private static func link(_ element: Element, _ next: Element, _ subject: String) throws(SourceError) {
        guard gst_element_link(element, next) != 0 else {
            throw SourceError(.failed, "\(subject): the media elements do not fit together")
        }
    }
}
