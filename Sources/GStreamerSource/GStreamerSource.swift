import CGStreamer
import Frames
import Observations
import Settings
import TestScene

/// Frames out of one GStreamer pipeline: the kind's own head, conversion to a layout that detectors read, the turn to upright, and
/// an appsink that holds one frame. Used by one thread.
package final class GStreamerSource: FrameSource {
    package let isLive: Bool
    private let settings: SourceSettings
    private let password: String?
    private let scene: (any ScenePainting)?
    private let orientationProbe = OrientationProbe()
    private var graph: SourceGraph?
    private var clock: StreamClock
    private var layout: (caps: UnsafeMutablePointer<GstCaps>, picture: PictureLayout)?
    private var pulled: UInt64 = 0

    /// - Parameters:
    ///   - password: of an RTSP camera; it goes into the library and into nothing else.
    ///   - scene: paints the frames of `test` sources whose pattern is `scene`.
    ///   - epoch: the number of this start of the worker.
    package init(_ settings: SourceSettings, password: String? = nil, scene: (any ScenePainting)? = nil, epoch: UInt64 = 1) {
        self.settings = settings
        self.password = password
        self.scene = scene
        isLive = settings.pace == .realtime
        clock = StreamClock(epoch: epoch, source: settings.pace == .fast ? .file : .arrival)
    }

    deinit { stop() }

    package func start() throws(SourceError) {
        try GStreamerRuntime.start()
        let graph = try SourceGraph(settings, password: password, scene: scene, orientation: orientationProbe)
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
            guard settings.isLive else { return .ended }
            return .failed(SourceError(.failed, "\(graph.subject): the stream ended, though it should go on for ever"))
        case .failed(let error): return .failed(error)
        }
    }

    package func stop() {
        graph?.stop()
        graph = nil
        layout.map { cgst_mini_unref($0.caps) }
        layout = nil
    }

    private func frame(from sample: OpaquePointer, _ graph: SourceGraph) -> SourceOutput {
        guard let caps = gst_sample_get_caps(sample), let buffer = gst_sample_get_buffer(sample) else { return .nothing }
        if layout?.caps != caps {
            guard let picture = PictureLayout(caps) else {
                return .failed(SourceError(.unreadable, "\(graph.subject): gives pictures of an unknown layout"))
            }
            layout.map { cgst_mini_unref($0.caps) }
            cgst_mini_ref(caps)
            layout = (caps, picture)
        }
        pulled += 1
        guard let mapped = layout?.picture.map(buffer), let picture = layout?.picture,
            let planes = mapped.planes(picture.format.planeCount)
        else {
            // A buffer shorter than its caps promise: it costs this one frame.
            return .nothing
        }
        let orientation = graph.orientation
        let stamp = clock.stamp(buffer: buffer, sample: sample, index: pulled - 1, graph: graph)
        let info = FrameInfo(
            epoch: clock.epoch, sequence: isLive ? UInt64(cgst_buffer_number(buffer)) : pulled,
            presentationTime: stamp.presentationTime, time: stamp.time, clock: clock.source, width: picture.width,
            height: picture.height, rotation: orientation.rotation, mirrored: orientation.mirrored)
        return .frame(Frame(info: info, format: picture.format, planes: planes, storage: mapped))
    }
}
