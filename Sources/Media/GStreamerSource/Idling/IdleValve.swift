// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import Synchronization

/// Lets only the key frames of a camera at rest into the decoder: the effects of `KeyFrameIdling`.
///
/// It sits behind a queue, in front of the decoder. The queue takes what the camera sends while held frames are
/// decoded.
final class IdleValve: SourceValve {
    private struct State {
        var passed = PassedFrames()
        var delivery = WholeDelivery()
        var glance: UInt64?
        var skip = OverloadSkip()
    }

    // Sound: the pipeline that owns the elements outlives the probes.
    private nonisolated(unsafe) let queue: Element
    private nonisolated(unsafe) let sink: Element
    private let store: EncodedStore
    private let state = Mutex(State())

    /// - Parameters:
    ///   - store: holds the frames that wait, and decides.
    ///   - queue: its source pad gives encoded frames, each in one buffer.
    ///   - sink: the appsink behind the decoder, which drops frames that nobody takes in time.
    init(_ store: EncodedStore, queue: Element, sink: Element) {
        self.store = store
        self.queue = queue
        self.sink = sink
        PadProbe.filter(queue, "src", GST_PAD_PROBE_TYPE_BUFFER) { self.arrive($0) }
        PadProbe.watch(queue, "src", GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
            self.arrive(gst_pad_probe_info_get_event($0))
        }
    }

    // MARK: SourceIdling

    func mayIdle(_ rests: Bool) { store.withIdling { $0.mayIdle(rests) } }

    func answer(isChanged: Bool) {
        let hasGlance = state.withLock { state in
            guard let glance = state.glance else { return false }
            state.glance = nil
            if !isChanged { state.passed.accept(glance) }
            return true
        }
        if hasGlance { store.withIdling { $0.answer(isChanged: isChanged) } }
    }

    var arrived: UInt64 { store.withIdling { $0.arrived } }

    var obstacle: String? { store.withIdling { $0.obstacle } }

    // MARK: In front of the decoder

    private func arrive(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> Bool {
        guard let buffer = gst_pad_probe_info_get_buffer(info) else { return true }
        switch store.arrive(buffer) {
        case .hold: return false
        case .glance(let item):
            decode([(item, .glance)])
            return false
        case .pass(let item, let role):
            guard let role = role == .ordinary ? roleNow(of: item) : role else { return false }
            cgst_probe_shift(info, pass(item, role))
        case .catchUp(let frames, let item):
            catchUp(frames)
            cgst_probe_shift(info, pass(item, .past))
        }
        return true
    }

    /// An event changes later frames only, so the frames held before it go first.
    private func arrive(_ event: UnsafeMutablePointer<GstEvent>?) {
        guard let event, [GST_EVENT_CAPS, GST_EVENT_SEGMENT, GST_EVENT_EOS].contains(cgst_event_type(event)) else {
            return
        }
        let frames = store.withIdling { idling in
            defer { idling.forgetGroup() }
            return idling.end()
        }
        if !frames.isEmpty { catchUp(frames) }
        store.arrive(event)
    }

    /// - Returns: `past` while every frame is delivered; nil if the frame is left out.
    private func roleNow(of item: KeyFrameIdling<EncodedBuffer>.Item) -> FrameRole? {
        let behind = UInt64(cgst_get_uint64(queue, "current-level-time"))
        let isIdle = store.withIdling(\.isIdle)
        let (isLeftOut, wasWhole, isWhole) = state.withLock { state in
            let wasWhole = state.delivery.isOn
            state.delivery.pass(behind: behind)
            let isLeftOut = state.skip.leavesOut(isKey: item.isKey, behind: behind, isIdle: isIdle)
            return (isLeftOut, wasWhole, state.delivery.isOn)
        }
        if wasWhole, !isWhole { cgst_set_boolean(sink, "drop", 1) }
        if isLeftOut { store.withIdling { $0.forgetGroup() } }
        return isLeftOut ? nil : isWhole ? .past : .ordinary
    }

    private func catchUp(_ frames: [(item: KeyFrameIdling<EncodedBuffer>.Item, role: FrameRole)]) {
        cgst_set_boolean(sink, "drop", 0)
        state.withLock { state in
            state.delivery.begin()
            state.glance = nil
            if let first = frames.first, first.role == .again { state.passed.repeats(from: first.item.time) }
        }
        decode(frames)
    }

    /// Gives the decoder frames that it would not get at this point of the stream.
    private func decode(_ frames: [(item: KeyFrameIdling<EncodedBuffer>.Item, role: FrameRole)]) {
        guard let pad = gst_element_get_static_pad(queue, "src") else { return }
        defer { cgst_unref(pad) }
        guard let decoder = gst_pad_get_peer(pad) else { return }
        defer { cgst_unref(decoder) }
        for (item, role) in frames {
            let shifted = cgst_buffer_shifted(item.buffer.buffer, pass(item, role))
            guard gst_pad_chain(decoder, shifted) == GST_FLOW_OK else { return }
        }
    }

    /// - Returns: the difference between the frame's stamp for the decoder and its own.
    private func pass(_ item: KeyFrameIdling<EncodedBuffer>.Item, _ role: FrameRole) -> gint64 {
        state.withLock { state in
            let skipped = state.skip.take()
            return gint64(
                state.passed.pass(.init(number: item.number, time: item.time, role: role, skipped: skipped))
                    - item.time)
        }
    }

    // MARK: Behind the decoder

    /// Gives a decoded frame its own time stamp again.
    func leave(_ info: UnsafeMutablePointer<GstPadProbeInfo>, count: UInt64) -> (number: UInt64, role: FrameRole) {
        let stamp = gst_pad_probe_info_get_buffer(info).map { cgst_buffer_pts($0) } ?? cgst_clock_time_none
        let frame = state.withLock { state in
            let frame = state.passed.leave(stamp == cgst_clock_time_none ? nil : Int64(clamping: stamp))
            if frame.role == .glance { state.glance = frame.number }
            return frame
        }
        if stamp != cgst_clock_time_none { cgst_probe_shift(info, gint64(frame.time - Int64(clamping: stamp))) }
        return (frame.number, frame.role)
    }
}
