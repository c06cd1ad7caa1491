// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import EventLines
import Observations
import Pipelines
import Synchronization

/// Runs a tape through tracking and the later stages, with the tape's own time. Only one thread may use it.
package struct Replay {
    private let emitter: EventEmitter
    private let clock: VirtualClock
    /// The index of the replay's lane for each lane of the tape; nil if the replay has no such detector.
    private let places: [Int?]
    private var lanes: [(replayed: ReplayedLane, events: EventLane?)]

    /// - Parameters:
    ///   - header: the tape's header.
    ///   - plans: the plans of the replay's lanes. Records of detectors without a plan are skipped.
    ///   - followsReloads: whether changes by a reload in the recorded run apply here too. Otherwise the plans hold
    ///     throughout.
    ///   - frames: whether each frame that a detector processed gets a line.
    ///   - barcodes: which parts of barcode values reach the lines.
    ///   - complain: takes messages for people. Called on the calling thread.
    package init(
        _ header: TapeHeader, plans: [LanePlan], followsReloads: Bool = true, pipeline: PipelineIdentity,
        frames: Bool = false, barcodes: BarcodeReporting,
        sink: any EventSink, complain: @escaping @Sendable (String) -> Void
    ) {
        let clock = VirtualClock()
        self.clock = clock
        let emitter = EventEmitter(
            pipeline: pipeline, detectors: plans.map(\.detector), delivery: MultiDetector.Delivery(header.clock),
            now: { clock.time }, frames: { frames }, barcodes: barcodes, sink: sink, complain: complain)
        self.emitter = emitter
        places = header.lanes.map { name in plans.firstIndex { $0.detector == name } }
        lanes = plans.map { plan in
            let events = emitter.lane(for: plan)
            return (ReplayedLane(plan, followsReloads, outlet: events), events)
        }
    }

    /// Takes the tape's records in their order. The lines of a record are written before the call returns.
    package mutating func take(_ record: TapeRecord) {
        switch record {
        case .lane(let lane, let input, let time):
            clock.time = time
            guard let place = places[lane] else { return }
            lanes[place].replayed.take(input)
            lanes[place].events?.flush()
        case .source(let input, let time):
            clock.time = time
            emitter.sourceChanged(input.state, frame: input.frame, error: input.error)
        case .end: break
        }
    }
}

/// A lane behind its detector, with the frames that its rate admits.
struct ReplayedLane {
    private var rateLimiter: RateLimiter
    private var lane: ReportingLane
    private let followsReloads: Bool

    init(_ plan: LanePlan, _ followsReloads: Bool, outlet: (any LaneOutlet)?) {
        rateLimiter = RateLimiter(maximumRate: plan.maximumRate)
        lane = ReportingLane(plan, outlet: outlet)
        self.followsReloads = followsReloads
    }

    mutating func take(_ input: LaneInput) {
        switch input {
        case .results(let results, _):
            guard rateLimiter.admits(results.frame.presentationTime) else { return }
        case .unchanged(let frame), .failed(let frame):
            guard rateLimiter.admits(frame.presentationTime) else { return }
        case .rules(_, let maximumRate):
            guard followsReloads else { return }
            rateLimiter.change(maximumRate: maximumRate)
        case .zones, .lines:
            guard followsReloads else { return }
        case .status, .opened, .focus, .pictured, .search, .complete: break
        }
        lane.take(input)
    }
}

/// The time of the current record.
private final class VirtualClock: Sendable {
    private let now = Mutex(Timestamp.epoch)

    var time: Timestamp {
        get { now.withLock(\.self) }
        set { now.withLock { $0 = newValue } }
    }
}
