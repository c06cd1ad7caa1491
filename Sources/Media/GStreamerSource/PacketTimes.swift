// SPDX-License-Identifier: Apache-2.0
import CGStreamer
import Synchronization

/// Gives each frame of a network camera a time of its own.
///
/// A jitter buffer (`rtpjitterbuffer`) estimates the times of frames from the arrivals of their packets. After a pause
/// of the network its estimate can go back. Then it gives many frames the time of the frame before. A parser behind it
/// uses each time once. Without a time of their own, these frames kept a camera at rest from idling. Here they follow
/// each other by a nanosecond.
struct PacketTimes {
    /// The RTP time stamp of the newest frame, its time from the jitter buffer, and its time from here.
    private var newest: (stamp: UInt32, given: GstClockTime, time: GstClockTime)?

    /// - Parameters:
    ///   - given: from the jitter buffer, in nanoseconds.
    ///   - stamp: the packet's RTP time stamp. All packets of a frame have the same, and it can wrap round.
    mutating func time(given: GstClockTime, stamp: UInt32) -> GstClockTime {
        guard let newest else {
            self.newest = (stamp, given, given)
            return given
        }
        let step = Int32(bitPattern: stamp &- newest.stamp)
        // A frame that is shown before one that came earlier keeps its time. A later time is a camera's new beginning.
        guard step >= 0 || given > newest.time else { return given }
        let repeats = given >= newest.given && given <= newest.time
        let time = !repeats ? given : step == 0 ? newest.time : newest.time &+ 1
        self.newest = (stamp, given, time)
        return time
    }

    static func make(in pipeline: Element) {
        AddedElements.watch(pipeline, type: "rtpjitterbuffer") { element in
            let times = Mutex(Self())
            PadProbe.watch(element, "src", GST_PAD_PROBE_TYPE_BUFFER) { info in
                guard let packet = gst_pad_probe_info_get_buffer(info), let stamp = Self.stamp(of: packet) else {
                    return
                }
                let given = cgst_buffer_pts(packet)
                guard given != cgst_clock_time_none else { return }
                let time = times.withLock { $0.time(given: given, stamp: stamp) }
                cgst_probe_shift(info, gint64(truncatingIfNeeded: time &- given))
            }
        }
    }

    /// Bytes 4 to 7 of the packet: RFC 3550, 5.1.
    private static func stamp(of packet: UnsafeMutablePointer<GstBuffer>) -> UInt32? {
        var stamp: UInt32 = 0
        guard gst_buffer_extract(packet, 4, &stamp, 4) == 4 else { return nil }
        return UInt32(bigEndian: stamp)
    }
}
