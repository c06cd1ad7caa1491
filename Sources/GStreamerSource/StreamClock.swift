import CGStreamer
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// Gives each buffer its presentation time, first frame 0, and its time of capture.
struct StreamClock {
    let epoch: UInt64
    let source: ClockSource
    private var first: Int64?
    private var last: Int64 = 0

    init(epoch: UInt64, source: ClockSource) {
        self.epoch = epoch
        self.source = source
    }

    /// Both in nanoseconds.
    mutating func stamp(
        buffer: UnsafeMutablePointer<GstBuffer>, sample: OpaquePointer, index: UInt64, graph: SourceGraph
    ) -> (presentationTime: Int64, time: Timestamp) {
        let running = runningTime(buffer, sample)
        let absolute = running ?? (first ?? 0) + last + 1
        if first == nil { first = absolute }
        let presentationTime = absolute - (first ?? absolute)
        last = presentationTime
        switch source {
        case .file: return (presentationTime, Timestamp(nanoseconds: presentationTime))
        case .arrival, .ntp:
            let age = running.flatMap { running in graph.runningTimeNow.map { max(0, $0 - running) } } ?? 0
            return (presentationTime, Timestamp.now.advanced(byNanoseconds: -age))
        }
    }

    private func runningTime(_ buffer: UnsafeMutablePointer<GstBuffer>, _ sample: OpaquePointer) -> Int64? {
        let pts = cgst_buffer_pts(buffer)
        guard pts != cgst_clock_time_none, let segment = gst_sample_get_segment(sample) else { return nil }
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
