// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import Settings

/// The part of a source that differs by kind: elements of the pipeline, the last of which gives video at once or later.
struct SourceHead {
    /// The name of this source in errors.
    var subject: String
    /// In the order of the flow; each is to be linked to the next.
    var elements: [Element]
    /// Whether the sink must wait for each frame's time, because the source itself would not.
    var isPacedBySink = false
    /// Gives encoded frames to the decoder; nil if nobody asked for encoded frames.
    var encoded: Element?
    /// Gives pictures that depend on no other to the decoder or the conversion; nil if the source never drops any.
    var pictures: Element?
    /// The damage of the file, known when the whole file has been read; nil without damage.
    var damage: () -> SourceError? = { nil }

    /// Everything but the built-in scene and playlists, which have sources of their own.
    ///
    /// - Parameter camera: GStreamer text in the place of a camera's device, for tests of other cameras.
    init(
        _ settings: SourceSettings, password: String?, camera: String? = nil, in pipeline: MediaPipeline
    ) throws(SourceError) {
        switch settings.kind {
        case .v4l2(let device):
            subject = device
            elements = [try Self.device(device, camera, in: pipeline)]
            if let caps = Self.requested(settings, media: Self.media(settings)) {
                elements.append(try pipeline.addCapsFilter(caps))
            }
            pictures = elements.last
            encoded = try Self.decode(&elements, settings, in: pipeline)
        case .rtsp(let camera):
            subject = camera.url
            elements = [try Self.rtspSource(camera, password: password, hasQueue: settings.holdsFrames, in: pipeline)]
            encoded = try Self.decode(&elements, settings, in: pipeline)
        case .file(let path, _, _), .images(let path, _, _):
            try FileCheck.file(path)
            subject = path
            isPacedBySink = settings.pace == .realtime
            if let film = try GIFFile(path) {
                (elements, damage) = (try film.elements(in: pipeline), film.damage)
            } else {
                let source = try pipeline.add("filesrc")
                cgst_set_string(source, "location", path)
                elements = [source]
                encoded = try Self.decode(&elements, settings, in: pipeline)
            }
        case .test(let pattern, let frames):
            subject = "test pattern \(pattern)"
            let source = try pipeline.add("videotestsrc")
            cgst_set(source, "pattern", pattern)
            cgst_set_boolean(source, "is-live", frames == 0 ? 1 : 0)
            if frames > 0 { cgst_set(source, "num-buffers", String(frames)) }
            elements = [source]
            if let caps = Self.requested(settings, media: ["video/x-raw"]) {
                elements.append(try pipeline.addCapsFilter(caps))
            }
        case .launch(let text, _):
            subject = "launch"
            elements = [pipeline.add(try LaunchText.bin(text, password: password))]
            pictures = elements.last
        }
    }

    private static func device(
        _ path: String, _ text: String?, in pipeline: MediaPipeline
    ) throws(SourceError) -> Element {
        if let text { return pipeline.add(try LaunchText.bin(text, password: nil)) }
        try FileCheck.device(path)
        let source = try pipeline.add("v4l2src")
        cgst_set_string(source, "device", path)
        return source
    }

    /// The media that a camera's device may give. A ring needs encoded video.
    private static func media(_ settings: SourceSettings) -> [String] {
        settings.ring.duration > .zero
            ? ["image/jpeg", "video/x-h264", "video/x-h265"] : ["video/x-raw", "image/jpeg", "video/x-h264"]
    }

    /// Adds the decoder behind a source, and in front of it the element that gives encoded frames, if they are wanted.
    ///
    /// - Returns: the element that gives encoded frames.
    private static func decode(
        _ elements: inout [Element], _ settings: SourceSettings, in pipeline: MediaPipeline
    ) throws(SourceError) -> Element? {
        var encoded: Element?
        if settings.holdsFrames {
            encoded = try queue(settings.ring, in: pipeline)
        } else if settings.ring.duration > .zero {
            encoded = try pipeline.add("identity")
        }
        if let encoded { elements += [try pipeline.add("parsebin"), encoded] }
        elements.append(try decoder(in: pipeline))
        return encoded
    }

    /// Decodes video and nothing else. (Some decoders offer more than plain memory, and are not considered at all for
    /// plain caps.)
    private static func decoder(in pipeline: MediaPipeline) throws(SourceError) -> Element {
        let decoder = try pipeline.add("decodebin")
        cgst_set(decoder, "caps", "video/x-raw(ANY)")
        cgst_set_boolean(decoder, "expose-all-streams", 0)
        cgst_demand_plain_memory(decoder)
        return decoder
    }

    /// Takes what the camera sends while held frames are decoded.
    private static func queue(_ ring: RingSettings, in pipeline: MediaPipeline) throws(SourceError) -> Element {
        let queue = try pipeline.add("queue")
        cgst_set_uint(queue, "max-size-buffers", 0)
        cgst_set(queue, "max-size-time", "0")
        cgst_set_uint(queue, "max-size-bytes", guint(clamping: ring.bytes))
        return queue
    }

    /// Caps with the size, rate and encoding that the settings ask for; nil when they ask for nothing.
    private static func requested(_ settings: SourceSettings, media: [String]) -> String? {
        var fields = ""
        if let width = settings.width { fields += ",width=\(width)" }
        if let height = settings.height { fields += ",height=\(height)" }
        if let rate = settings.fps { fields += ",framerate=\(rate.numerator)/\(rate.denominator)" }
        let asksNothing = fields.isEmpty && settings.ring.duration == .zero
        return asksNothing ? nil : media.map { $0 + fields }.joined(separator: ";")
    }

    private static func rtspSource(
        _ camera: RTSPSettings, password: String?, hasQueue: Bool, in pipeline: MediaPipeline
    ) throws(SourceError) -> Element {
        let source = try pipeline.add("rtspsrc")
        cgst_set_string(source, "location", camera.url)
        if let user = camera.user { cgst_set_string(source, "user-id", user) }
        if let password {
            DebugLog.conceal(password)
            cgst_set_string(source, "user-pw", password)
        }
        switch camera.transport {
        case .tcp: cgst_set(source, "protocols", "tcp")
        case .udp: cgst_set(source, "protocols", "udp")
        case .auto: cgst_set(source, "protocols", "udp+tcp")
        }
        cgst_set_uint(source, "latency", guint(camera.latency / .milliseconds(1)))
        // A queue behind the source bounds the delay in whole frames: `OverloadSkip`. Without one, packets are dropped.
        cgst_set_boolean(source, "drop-on-latency", hasQueue ? 0 : 1)
        return source
    }
}
