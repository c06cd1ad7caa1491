// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Frames
import Settings
import Synchronization

/// Lets one picture in `idle_every` of a source at rest pass: the effects of `PictureIdling`.
///
/// It sits in front of the decoder or the conversion, which work in the thread that passes the probe.
final class PictureValve: SourceValve {
    private struct State {
        var idling: PictureIdling
        /// The role of the last picture that passed.
        var role = FrameRole.ordinary
    }

    private let state: Mutex<State>

    /// - Parameter element: its source pad gives raw pictures, or encoded pictures that depend on no other.
    init(_ settings: IdleSettings, behind element: Element) {
        state = Mutex(State(idling: PictureIdling(every: Int64(settings.every / .nanoseconds(1)))))
        PadProbe.filter(element, "src", GST_PAD_PROBE_TYPE_BUFFER) { self.arrive($0) }
        PadProbe.watch(element, "src", GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
            self.arrive(gst_pad_probe_info_get_event($0))
        }
    }

    private func arrive(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> Bool {
        let stamp = gst_pad_probe_info_get_buffer(info).map { cgst_buffer_pts($0) } ?? cgst_clock_time_none
        return state.withLock { state in
            let role = state.idling.arrive(time: stamp == cgst_clock_time_none ? nil : Int64(clamping: stamp))
            if let role { state.role = role }
            return role != nil
        }
    }

    private func arrive(_ event: UnsafeMutablePointer<GstEvent>?) {
        guard let event, cgst_event_type(event) == GST_EVENT_CAPS else { return }
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(event, &caps)
        guard let caps, let structure = gst_caps_get_structure(caps, 0) else { return }
        let media = String(cString: gst_structure_get_name(structure))
        guard media != "video/x-raw", media != "image/jpeg" else { return }
        state.withLock { $0.idling.obstacle = "its frames depend on others; source.ring lets it idle" }
    }

    // MARK: SourceIdling

    func mayIdle(_ rests: Bool) { state.withLock { $0.idling.mayIdle(rests) } }

    /// A sample never waits for an answer.
    func answer(isChanged: Bool) {}

    var arrived: UInt64 { state.withLock(\.idling.arrived) }

    var obstacle: String? { state.withLock(\.idling.obstacle) }

    // MARK: SourceValve

    func leave(_ info: UnsafeMutablePointer<GstPadProbeInfo>, count: UInt64) -> (number: UInt64, role: FrameRole) {
        state.withLock { (count + $0.idling.dropped, $0.role) }
    }
}
