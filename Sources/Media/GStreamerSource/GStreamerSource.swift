// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import Observations
import Settings
import TestScene

/// Frames out of one GStreamer pipeline. The pipeline has the kind's own head, conversion to a layout that detectors
/// read, the turn to upright, and an appsink that holds one frame. Used by one thread.
package final class GStreamerSource: IdlingFrameSource, EncodedVideoSource, RemarkingSource {
    private let settings: SourceSettings
    private let password: String?
    private let scene: (any ScenePainting)?
    private let epoch: UInt64
    private let camera: String?
    private let store: EncodedStore?
    private var graph: SourceGraph?
    private var clock: StreamClock
    private var layout: PictureLayout?
    private var isEmpty = true
    private var decoderFallback = DecoderFallback()

    /// - Parameters:
    ///   - password: of an RTSP camera; it goes into the library and into nothing else.
    ///   - scene: paints the frames of `test` sources whose pattern is `scene`.
    ///   - epoch: the number of this start of the worker.
    package convenience init(
        _ settings: SourceSettings, password: String? = nil, scene: (any ScenePainting)? = nil, epoch: UInt64 = 1
    ) {
        self.init(settings, password: password, scene: scene, epoch: epoch, camera: nil)
    }

    /// - Parameter camera: GStreamer text in the place of a camera's device, for tests of cameras.
    init(
        _ settings: SourceSettings, password: String? = nil, scene: (any ScenePainting)? = nil, epoch: UInt64 = 1,
        camera: String?
    ) {
        self.camera = camera
        self.settings = settings
        self.password = password
        self.scene = scene
        self.epoch = epoch
        clock = StreamClock(settings.pace == .fast ? .file : .arrival)
        store = EncodedStore(settings)
    }

    package var encodedVideo: (any CameraVideo)? { store }

    package var idling: (any SourceIdling)? { graph?.valve }

    package func start() throws(SourceError) {
        try GStreamerRuntime.start()
        decoderFallback.begin(settings.decoder)
        try open()
    }

    private func open() throws(SourceError) {
        DecoderRanks.apply(decoderFallback.choice)
        let graph = try SourceGraph(settings, password: password, scene: scene, store: store, camera: camera)
        self.graph = graph
        try graph.play()
    }

    package func next(timeout: Duration) -> SourceOutput {
        guard let graph else { return .ended }
        switch graph.pull(timeout: timeout) {
        case .sample(let sample):
            defer { gst_sample_unref(sample) }
            return frame(from: sample, graph)
        case .nothing: return .nothing
        case .ended:
            if settings.isLive {
                return .failed(
                    SourceError(.failed, "\(graph.subject): the stream ended, though it should go on for ever"))
            }
            return isEmpty ? .failed(SourceError(.unreadable, "\(graph.subject): gives no picture")) : .ended
        case .failed(let error):
            guard isEmpty, decoderFallback.takes(error, triedDecoders: graph.decoding.added) else {
                return .failed(error)
            }
            stop()
            do { try open() } catch { return .failed(error) }
            return .nothing
        }
    }

    package func takeRemark() -> String? { decoderFallback.takeRemark(atWork: isEmpty ? nil : graph?.decoding.atWork) }

    package func stop() {
        graph?.stop()
        graph = nil
    }

    private func frame(from sample: OpaquePointer, _ graph: SourceGraph) -> SourceOutput {
        guard let caps = gst_sample_get_caps(sample), let buffer = gst_sample_get_buffer(sample) else {
            return .nothing
        }
        if layout?.caps.pointer != caps { layout = PictureLayout(caps) }
        guard let layout else {
            return .failed(SourceError(.unreadable, "\(graph.subject): gives pictures of an unknown layout"))
        }
        // A buffer shorter than its caps promise costs this one frame.
        guard let mapped = MappedFrame(buffer, layout), let planes = mapped.planes(layout.format.planeCount) else {
            return .nothing
        }
        let mark = PictureMark(bits: UInt64(cgst_buffer_mark(buffer)))
        if mark.role == .again { return .nothing }
        let stamp = clock.stamp(sample, now: graph.runningTime)
        if isEmpty { store?.begin(at: clock.origin) }
        isEmpty = false
        let info = FrameInfo(
            epoch: epoch, sequence: UInt64(cgst_buffer_number(buffer)), presentationTime: stamp.presentationTime,
            time: stamp.time,
            clock: clock.source, width: layout.width, height: layout.height, rotation: mark.orientation.rotation,
            mirrored: mark.orientation.mirrored)
        return .frame(
            Frame(
                info: info, format: layout.format, colour: layout.colour, planes: planes, decodeTime: mark.decodeTime,
                role: mark.role, storage: mapped))
    }
}
