// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Synchronization

/// Times each picture from its coded data to the sink, by its time stamp: decoding, conversion and turning, and the
/// waits between them. In a file these waits are for the picture before. A picture that nothing decodes is timed from
/// the conversion on; a picture without a time stamp is not timed.
final class DecodeWatch: Sendable {
    /// Pictures that are on their way at most: a decoder holds back 16 (H.264), and may have threads with one more
    /// each.
    private static let capacity = 64

    private struct Begun {
        var stamp: GstClockTime
        var instant: ContinuousClock.Instant
    }

    /// By the order in which they came.
    private let begun = Mutex<[Begun]>([])
    private let names = Mutex<(added: [String], atWork: String?)>(([], nil))

    /// The decoders that the pipeline has tried.
    var added: [String] { names.withLock(\.added) }
    /// The decoder that took the newest picture; nil if nothing decodes.
    var atWork: String? { names.withLock(\.atWork) }

    /// Watches the picture decoders that the pipeline will have, and the conversion behind them.
    init(_ pipeline: MediaPipeline, convert: Element) {
        AddedElements.watch(pipeline.element) { element in
            guard cgst_is_picture_decoder(element) != 0 else { return }
            self.watch(element, decoder: String(cString: cgst_factory_name(element)))
        }
        watch(convert)
    }

    /// - Parameter decoder: the element's type; nil for the conversion.
    private func watch(_ element: Element, decoder: String? = nil) {
        if let decoder { names.withLock { $0.added.append(decoder) } }
        PadProbe.watch(element, "sink", GST_PAD_PROBE_TYPE_BUFFER) { info in
            if let decoder { self.names.withLock { $0.atWork = decoder } }
            guard let buffer = gst_pad_probe_info_get_buffer(info) else { return }
            self.begin(cgst_buffer_pts(buffer), at: .now)
        }
    }

    /// Only the first of a picture's data counts; what comes out of the decoder has the same stamp.
    private func begin(_ stamp: GstClockTime, at instant: ContinuousClock.Instant) {
        guard stamp != cgst_clock_time_none else { return }
        begun.withLock { begun in
            guard !begun.contains(where: { $0.stamp == stamp }) else { return }
            // Pictures that never came out: damaged ones, and ones that a decoder left out.
            if begun.count == Self.capacity { begun.removeFirst() }
            begun.append(Begun(stamp: stamp, instant: instant))
        }
    }

    /// The picture is at the sink.
    ///
    /// - Returns: how long it took; nil when that is not known.
    func end(_ stamp: GstClockTime, at instant: ContinuousClock.Instant) -> Duration? {
        begun.withLock { begun in
            begun.firstIndex { $0.stamp == stamp }.map { instant - begun.remove(at: $0).instant }
        }
    }
}
