// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import GlimpseTesting
import Synchronization
import Testing

@testable import GStreamerSource

/// Only turned pictures are copied.
@Suite struct PassThroughTests {
    private final class Addresses: Sendable {
        private let all = Mutex<Set<UInt>>([])

        var set: Set<UInt> { all.withLock(\.self) }

        func note(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
            guard let buffer = gst_pad_probe_info_get_buffer(info), let memory = gst_buffer_peek_memory(buffer, 0)
            else { return }
            all.withLock { _ = $0.insert(UInt(bitPattern: memory)) }
        }
    }

    @Test(arguments: [false, true])
    func anUprightPictureReachesTheSinkInItsOwnMemory(mirror: Bool) throws {
        GStreamerInventory.prepare()
        let pipeline = try MediaPipeline()
        let source = try pipeline.add("videotestsrc")
        cgst_set(source, "num-buffers", "3")
        let convert = try pipeline.add("videoconvert")
        let (flip, sink) = (try pipeline.add("videoflip"), try pipeline.add("appsink"))
        cgst_set(sink, "sync", "false")
        let (given, taken) = (Addresses(), Addresses())
        PadProbe.watch(flip, "sink", GST_PAD_PROBE_TYPE_BUFFER) { given.note($0) }
        StreamTurn(flip, rotation: .auto, mirror: mirror, decoding: DecodeWatch(pipeline, convert: convert))
            .attach(sink: sink)
        PadProbe.watch(sink, "sink", GST_PAD_PROBE_TYPE_BUFFER) { taken.note($0) }
        for (element, next) in [(source, convert), (convert, flip), (flip, sink)] {
            try #require(gst_element_link(element, next) != 0)
        }
        try #require(pipeline.play())
        for _ in 0..<3 {
            let next: OpaquePointer? = gst_app_sink_try_pull_sample(cgst_app_sink(sink), 60 * 1_000_000_000)
            let sample: OpaquePointer = try #require(next)
            cgst_mini_unref(UnsafeMutableRawPointer(sample))
        }
        if mirror {
            #expect(given.set.isDisjoint(with: taken.set))
        } else {
            #expect(given.set == taken.set)
        }
        #expect(!given.set.isEmpty && !taken.set.isEmpty)
    }
}
