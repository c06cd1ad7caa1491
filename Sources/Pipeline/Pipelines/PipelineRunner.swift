// SPDX-License-Identifier: Apache-2.0
import EventLines
import Frames
import Observations
import Synchronization

/// Runs one pipeline from its source to its sink on the calling thread, until the source ends or `stop` is called.
public final class PipelineRunner: Sendable {
    /// The end of a run.
    public enum Outcome: Sendable, Equatable {
        /// The source has no more frames.
        case ended
        /// `stop` was called.
        case stopped
        /// The source failed or was lost.
        case failed(SourceError)
    }

    /// The longest time that the source may wait before the runner checks for requests again.
    private static let patience = Duration.milliseconds(100)
    /// As `patience`, for a source that idles, so that its worker wakes less often.
    private static let idlePatience = Duration.milliseconds(250)

    private let stopRequest = Atomic<UInt8>(0)
    private let lastTurn = Mutex<ContinuousClock.Instant?>(nil)
    private let stallLimit: Duration
    private let every: UInt64
    private let idling: IdleConfiguration?

    /// - Parameters:
    ///   - stallLimit: the time without a frame after which a live source is reported as stalled, and after twice that
    ///     time as lost.
    ///   - every: hands every n-th frame of the source to the lanes, counted by the frames' own numbers and beginning
    ///     with the first. From 1.
    ///   - idling: when a source that can idle does; nil: never.
    public init(stallLimit: Duration, every: Int = 1, idling: IdleConfiguration? = nil) {
        self.stallLimit = stallLimit
        self.idling = idling
        self.every = UInt64(max(1, every))
    }

    /// Asks the run to end soon; every live track gets `completed` with this reason. Any thread may call it.
    public func stop(_ reason: CompletionReason) {
        let index = CompletionReason.allCases.firstIndex(of: reason) ?? 0
        _ = stopRequest.compareExchange(expected: 0, desired: UInt8(index + 1), ordering: .relaxed)
    }

    /// The time that the run has spent in its source or in a hand-over without returning. It is a fraction of a second
    /// unless something hangs. nil while the pipeline is not running.
    ///
    /// Any thread may read it.
    public var turnAge: Duration? {
        let now = ContinuousClock.now
        return lastTurn.withLock(\.self).map { now - $0 }
    }

    private func turn() {
        let now = ContinuousClock.now
        lastTurn.withLock { $0 = now }
    }

    private var requestedStop: CompletionReason? {
        let request = stopRequest.load(ordering: .relaxed)
        return request == 0 ? nil : CompletionReason.allCases[Int(request) - 1]
    }

    /// - Parameters:
    ///   - events: writes event lines about the source. If nil, no lines are written.
    ///   - delivery: replaces the delivery of the detectors. If nil, theirs is used.
    ///   - didProcess: called for each frame handed to the lanes, for progress displays.
    ///   - didReceive: called for each frame of the source, before anything else sees it.
    public func run(
        _ source: any FrameSource, detectors: MultiDetector, events: EventEmitter? = nil,
        delivery: MultiDetector.Delivery? = nil, didProcess: (FrameInfo) -> Void = { _ in },
        didReceive: (Frame) -> Void = { _ in }
    ) -> Outcome {
        let delivery = delivery ?? detectors.delivery
        if delivery == .every { detectors.waitUntilLoaded() }
        events?.sourceChanged(.connecting, frame: nil)
        turn()
        defer { lastTurn.withLock { $0 = nil } }
        var lastFrame: FrameInfo?
        let outcome = pump(source, detectors, delivery, events, lastFrame: &lastFrame, didProcess, didReceive)
        let (reason, state, error): (CompletionReason, SourceEvent.State, String?) =
            switch outcome {
            case .ended: (.endOfStream, .ended, nil)
            case .stopped: (requestedStop ?? .shutdown, .ended, nil)
            case .failed(let error): (.sourceLost, .lost, error.description)
            }
        detectors.completeAll(reason)
        events?.flush()
        events?.report(detectors.metrics)
        events?.sourceChanged(state, frame: lastFrame, error: error)
        // Last, because the threads of a broken camera's connection may take long to end.
        source.stop()
        return outcome
    }

    private func pump(
        _ source: any FrameSource, _ detectors: MultiDetector, _ delivery: MultiDetector.Delivery,
        _ events: EventEmitter?, lastFrame: inout FrameInfo?, _ didProcess: (FrameInfo) -> Void,
        _ didReceive: (Frame) -> Void
    ) -> Outcome {
        do {
            try source.start()
        } catch {
            return .failed(error)
        }
        var watch = StallWatch(limit: stallLimit, now: .now)
        var due: UInt64 = 0
        var rest = idling.flatMap { idling in
            (source as? any IdlingFrameSource)?.idling.map { SourceWatch($0, idling) }
        }
        while requestedStop == nil {
            turn()
            switch source.next(timeout: rest?.isIdle == true ? Self.idlePatience : Self.patience) {
            case .frame(let frame):
                watch.frameArrived(.now)
                let wasIdle = rest?.isIdle == true
                guard rest?.admits(frame, isSettled: detectors.isSettled) != false else { continue }
                didReceive(frame)
                let isIdle = rest?.isIdle == true
                if lastFrame == nil || watch.takeStall() || isIdle != wasIdle {
                    events?.sourceChanged(isIdle ? .idle : .connected, frame: frame.info)
                }
                lastFrame = frame.info
                guard frame.info.sequence >= due else { continue }
                due = frame.info.sequence + every
                // The encoded frames have waited for this long already, and none is to be lost.
                detectors.receive(frame, frame.role == .past ? .every : delivery)
                if delivery == .every { events?.flush() }
                if let obstacle = rest?.takeObstacle() { events?.remark("the source does not idle: \(obstacle)") }
                if let remark = (source as? any RemarkingSource)?.takeRemark() { events?.remark(remark) }
                didProcess(frame.info)
            case .nothing:
                rest?.check(isSettled: detectors.isSettled)
                if rest?.takeArrivals() == true { watch.frameArrived(.now) }
                switch watch.check(.now) {
                case .fine: break
                case .stalled: events?.sourceChanged(.stalled, frame: lastFrame)
                case .lost:
                    return .failed(SourceError(.failed, "no frame for \(stallLimit * 2); the source is lost"))
                }
            case .ended: return .ended
            case .failed(let error): return .failed(error)
            }
        }
        return .stopped
    }
}

/// Times the frames of a source, because a frozen network camera reports no error.
struct StallWatch {
    enum Verdict: Equatable {
        case fine, stalled, lost
    }

    private let limit: Duration
    private var last: ContinuousClock.Instant
    private(set) var isStalled = false

    init(limit: Duration, now: ContinuousClock.Instant) {
        self.limit = limit
        last = now
    }

    mutating func frameArrived(_ now: ContinuousClock.Instant) { last = now }

    /// Whether a stall has ended with the frame that arrived.
    mutating func takeStall() -> Bool {
        defer { isStalled = false }
        return isStalled
    }

    /// `.stalled` once after the limit, `.lost` after twice the limit.
    mutating func check(_ now: ContinuousClock.Instant) -> Verdict {
        let silence = now - last
        if silence > limit * 2 { return .lost }
        guard silence > limit, !isStalled else { return .fine }
        isStalled = true
        return .stalled
    }
}
