// SPDX-License-Identifier: Apache-2.0
import CGStreamer
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// Gives each frame its presentation time, first frame 0, and its time of capture.
struct StreamClock {
    let source: ClockSource
    private var first: Int64?
    private var last: Int64 = 0

    /// The running time of the first frame, in nanoseconds.
    var origin: Int64 { first ?? 0 }

    init(_ source: ClockSource) {
        self.source = source
    }

    /// Both in nanoseconds. A frame without a time stamp comes a nanosecond after the one before it.
    ///
    /// - Parameter now: the pipeline's running time; nil when it has none.
    mutating func stamp(_ sample: OpaquePointer, now: @autoclosure () -> Int64?) -> (
        presentationTime: Int64, time: Timestamp
    ) {
        let running = Self.runningTime(sample)
        let start = first ?? running ?? 0
        let presentationTime = running.map { $0 - start } ?? (first == nil ? 0 : last + 1)
        first = start
        last = presentationTime
        switch source {
        case .file: return (presentationTime, Timestamp(nanoseconds: presentationTime))
        case .arrival, .ntp:
            var age: Int64 = 0
            if let running, let now = now() { age = max(0, now - running) }
            return (presentationTime, Timestamp.now.advanced(byNanoseconds: -age))
        }
    }

    private static func runningTime(_ sample: OpaquePointer) -> Int64? {
        guard let buffer = gst_sample_get_buffer(sample), let segment = gst_sample_get_segment(sample) else {
            return nil
        }
        let pts = cgst_buffer_pts(buffer)
        guard pts != cgst_clock_time_none else { return nil }
        let running = gst_segment_to_running_time(segment, GST_FORMAT_TIME, pts)
        return running == cgst_clock_time_none ? nil : Int64(clamping: running)
    }
}

extension Timestamp {
    /// The wall clock.
    package static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
