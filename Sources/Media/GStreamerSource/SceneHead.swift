// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import Settings
import TestScene

extension SourceHead {
    /// An appsrc that paints a frame whenever the pipeline wants one; the sink paces it when it plays in real time.
    init(
        scene: any ScenePainting, _ settings: SourceSettings, frames: Int, in pipeline: MediaPipeline
    ) throws(SourceError) {
        let size = SceneSize(width: max(2, settings.width ?? 1280) & ~1, height: max(2, settings.height ?? 720) & ~1)
        let rate = settings.fps ?? FrameRate(15)
        let source = try pipeline.add("appsrc")
        cgst_set(
            source, "caps",
            "video/x-raw,format=I420,width=\(size.width),height=\(size.height),framerate=\(rate.numerator)/\(rate.denominator)"
        )
        cgst_set(source, "format", "time")
        cgst_set_uint(source, "max-buffers", 2)
        let feeder = SceneFeeder(scene, size: size, rate: rate, frames: frames)
        AppSourceFeed.attach(source, fill: feeder.push)
        subject = "test scene"
        elements = [source]
        isPacedBySink = frames == 0
    }
}

/// Paints frames for an appsrc. Called on the appsrc's own thread only.
private final class SceneFeeder {
    private let scene: any ScenePainting
    private let size: SceneSize
    private let rate: FrameRate
    private let frames: Int
    private var painted = 0

    init(_ scene: any ScenePainting, size: SceneSize, rate: FrameRate, frames: Int) {
        self.scene = scene
        self.size = size
        self.rate = rate
        self.frames = frames
    }

    func push(to source: UnsafeMutablePointer<GstAppSrc>) {
        if frames > 0, painted == frames {
            gst_app_src_end_of_stream(source)
            return
        }
        guard let buffer = gst_buffer_new_allocate(nil, gsize(size.bytes), nil) else { return }
        let start = time(of: painted)
        cgst_buffer_set_times(buffer, start, time(of: painted + 1) - start)
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_WRITE) != 0 else {
            cgst_mini_unref(buffer)
            return
        }
        scene.paint(
            seconds: Double(start) / 1e9, size: size,
            into: UnsafeMutableBufferPointer(start: map.data, count: Int(map.size)))
        gst_buffer_unmap(buffer, &map)
        painted += 1
        gst_app_src_push_buffer(source, buffer)
    }

    private func time(of frame: Int) -> GstClockTime {
        gst_util_uint64_scale(
            guint64(frame), 1_000_000_000 * guint64(rate.denominator), guint64(rate.numerator))
    }
}
