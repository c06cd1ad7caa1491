import Synchronization

/// What the lane's thread counts and times, and any thread may read.
final class LaneTally: Sendable {
    private struct State {
        var counts = LaneCounts()
        var busySince: ContinuousClock.Instant?
        var waits = DurationWindow()
        var totals = DurationWindow()
    }

    private let state = Mutex(State())

    /// The lane took a frame.
    func began() {
        let now = ContinuousClock.now
        state.withLock { $0.busySince = now }
    }

    /// The lane is done with it.
    func finished(_ worker: LaneWorker, handedOver: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        state.withLock { state in
            defer { state.busySince = nil }
            state.counts.failed = worker.failedFrames
            state.counts.refused = worker.refusedDetections
            state.counts.evicted = worker.evictedTracks
            state.counts.smallFaces = worker.smallFaces
            guard state.counts.skipped == worker.skippedFrames else {
                state.counts.skipped = worker.skippedFrames
                return
            }
            state.counts.processed += 1
            state.waits.append((state.busySince ?? now) - handedOver)
            state.totals.append(now - handedOver)
        }
    }

    /// Without the lane's name and what its slot counts.
    var counts: LaneCounts { state.withLock(\.counts) }

    func times(of detector: String) -> LaneTimes {
        let now = ContinuousClock.now
        return state.withLock { state in
            LaneTimes(
                detector: detector, busy: state.busySince.map { now - $0 }, wait: state.waits.summary,
                total: state.totals.summary)
        }
    }
}
