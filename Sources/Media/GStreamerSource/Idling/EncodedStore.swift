// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import Settings
import Synchronization

/// A reference to an encoded frame.
final class EncodedBuffer: Sendable {
    // Sound: nobody writes a buffer that has another owner.
    nonisolated(unsafe) let buffer: UnsafeMutablePointer<GstBuffer>
    /// In nanoseconds of the pipeline; nil without a time stamp.
    let runningTime: Int64?
    let format: VideoFormat

    init(_ buffer: UnsafeMutablePointer<GstBuffer>, runningTime: Int64?, format: VideoFormat) {
        self.format = format
        self.buffer = cgst_buffer_ref(buffer)
        self.runningTime = runningTime
    }

    deinit { gst_buffer_unref(buffer) }
}

/// The format of encoded frames.
struct VideoFormat: Sendable {
    /// GStreamer's caps.
    var caps = ""
    /// Counts the changes.
    var number = 0
}

/// The encoded frames of a source in memory: those that may be decoded after the fact, and the last `source.ring`.
///
/// It takes frames on a streaming thread, or those that this process has encoded. Any thread may read it.
package final class EncodedStore: CameraVideo {
    private struct State {
        var idling: KeyFrameIdling<EncodedBuffer>
        /// From a time stamp to the running time, in nanoseconds; nil while that is unknown.
        var shift: Int64?
        var format = VideoFormat()
        /// The running time of the source's first frame.
        var origin: Int64?
        /// Called after each frame.
        var arrived: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// nil if the settings ask for no encoded frames.
    convenience init?(_ settings: SourceSettings) {
        guard settings.holdsFrames || settings.ring.duration > .zero else { return nil }
        self.init(IdleLimits(settings.idling, settings.ring))
    }

    init(_ limits: IdleLimits) {
        state = Mutex(State(idling: KeyFrameIdling(limits)))
    }

    /// For frames that this process encodes. Their time stamps are the presentation times of their pictures.
    ///
    /// - Parameter ring: the length that is kept.
    package convenience init(ring: Duration, bytes: Int) {
        self.init(IdleLimits(duration: 0, bytes: bytes, interval: 0, ring: Int64(ring / .nanoseconds(1))))
        state.withLock { ($0.shift, $0.origin) = (0, 0) }
    }

    /// Takes an encoded frame. The caller keeps the sample.
    package func append(_ sample: OpaquePointer) {
        guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample) else { return }
        take(caps)
        _ = arrive(buffer)
    }

    /// Changes and reads what decides about the decoding.
    func withIdling<Result: Sendable>(_ body: (inout KeyFrameIdling<EncodedBuffer>) -> Result) -> Result {
        state.withLock { body(&$0.idling) }
    }

    /// Takes every frame that leaves an element; all of them go on to the decoder.
    func watch(_ element: Element) {
        PadProbe.watch(element, "src", GST_PAD_PROBE_TYPE_BUFFER) { info in
            guard let buffer = gst_pad_probe_info_get_buffer(info) else { return }
            _ = self.arrive(buffer)
        }
        PadProbe.watch(element, "src", GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
            self.arrive(gst_pad_probe_info_get_event($0))
        }
    }

    func arrive(_ buffer: UnsafeMutablePointer<GstBuffer>) -> KeyFrameIdling<EncodedBuffer>.Decision {
        let stamp = cgst_buffer_pts(buffer)
        let time = stamp == cgst_clock_time_none ? nil : Int64(clamping: stamp)
        let (isKey, bytes) = (cgst_buffer_is_delta(buffer) == 0, Int(gst_buffer_get_size(buffer)))
        let (decision, arrived) = state.withLock { state in
            let running = time.flatMap { time in state.shift.map { time + $0 } }
            let decision = state.idling.arrive(
                EncodedBuffer(buffer, runningTime: running, format: state.format), time: time, bytes: bytes,
                isKey: isKey)
            return (decision, state.arrived)
        }
        arrived?()
        return decision
    }

    func arrive(_ event: UnsafeMutablePointer<GstEvent>?) {
        guard let event else { return }
        if cgst_event_type(event) == GST_EVENT_CAPS { return take(capsOf: event) }
        guard cgst_event_type(event) == GST_EVENT_SEGMENT else { return }
        var segment = GstSegment()
        gst_event_copy_segment(event, &segment)
        let isTimed = segment.format == GST_FORMAT_TIME
        let shift = Int64(clamping: segment.base) - Int64(clamping: segment.start) - Int64(clamping: segment.offset)
        state.withLock { $0.shift = isTimed ? shift : nil }
    }

    private func take(capsOf event: UnsafeMutablePointer<GstEvent>) {
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(event, &caps)
        if let caps { take(caps) }
    }

    private func take(_ caps: UnsafeMutablePointer<GstCaps>) {
        guard let text = gst_caps_to_string(caps) else { return }
        defer { g_free(text) }
        let format = String(cString: text)
        state.withLock { state in
            guard state.format.caps != format else { return }
            state.format = VideoFormat(caps: format, number: state.format.number + 1)
        }
    }

    /// Records the running time of the source's first frame, from which presentation times count.
    func begin(at origin: Int64) {
        state.withLock { if $0.origin == nil { $0.origin = origin } }
    }

    // MARK: CameraVideo

    package var fill: EncodedFill {
        state.withLock { state in
            let ring = state.idling.ring
            return EncodedFill(
                frames: ring.items.count, bytes: ring.bytes, length: .nanoseconds(ring.length),
                hasOverflowed: ring.hasOverflowed)
        }
    }

    package var newestTime: Int64? {
        state.withLock { state in
            guard let origin = state.origin else { return nil }
            return state.idling.ring.items.last?.buffer.runningTime.map { $0 - origin }
        }
    }

    package func frames(after number: UInt64) -> [EncodedFrame] {
        state.withLock { state in
            guard let origin = state.origin else { return [] }
            return state.idling.ring.items(after: number).map { item in
                EncodedFrame(
                    number: item.number, presentationTime: item.buffer.runningTime.map { $0 - origin },
                    bytes: item.bytes, isKey: item.isKey, format: item.buffer.format.number)
            }
        }
    }

    package func description(at number: UInt64) throws(SourceError) -> VideoDescription {
        guard let buffer = buffer(number) else {
            throw SourceError(.failed, "the video has left the memory: source.ring is too short for this machine")
        }
        return try VideoDescription(buffer.format)
    }

    package func content(of number: UInt64) -> [UInt8]? {
        buffer(number).flatMap { frame in
            var map = GstMapInfo()
            guard gst_buffer_map(frame.buffer, &map, GST_MAP_READ) != 0 else { return nil }
            defer { gst_buffer_unmap(frame.buffer, &map) }
            return Array(UnsafeBufferPointer(start: map.data, count: Int(map.size)))
        }
    }

    /// nil if the frame has left the memory.
    private func buffer(_ number: UInt64) -> EncodedBuffer? {
        state.withLock { state in
            let first = state.idling.ring.items(after: number - 1).first
            return first?.number == number ? first?.buffer : nil
        }
    }

    package func follow(_ arrived: (@Sendable () -> Void)?) { state.withLock { $0.arrived = arrived } }

    /// Whether the source idles, and nobody waits for each frame.
    var isResting: Bool { state.withLock { $0.idling.isIdle && $0.arrived == nil } }

    package var isInOrder: Bool { state.withLock { $0.idling.isInOrder } }
}
