import BarcodeValues
import EventLines
import Observations
import Synchronization

/// Turns the lives of tracks into events: the daemon's own use of `MultiDetector`.
///
/// Each detector's events are gathered while its frame is processed and leave together. With `.newest` they leave when the lane is
/// done; with `.every` when `flush` is called, detector by detector, so that the order does not depend on which thread was faster.
public final class EventEmitter: Sendable {
    let delivery: MultiDetector.Delivery
    private let lanes: [EventLane]
    private let pipeline: PipelineIdentity
    private let now: @Sendable () -> Timestamp
    private let sink: any EventSink
    private let recorder: (any PipelineRecorder)?
    private let complain: @Sendable (String) -> Void

    /// - Parameters:
    ///   - detectors: in the order in which a frame's events are written.
    ///   - delivery: with `.every` the time of lines without a frame is the last frame's.
    ///   - now: the wall clock, for lines without a frame.
    ///   - frames: whether each frame that a detector processes gets a line; asked for every one.
    ///   - barcodes: whether barcodes' values are typed, and what of them reaches no line.
    ///   - recorder: keeps what the events are a function of; nil: nobody does.
    ///   - complain: takes what people should know and subscribers need not, a line each. Called from several threads.
    public init(
        pipeline: PipelineIdentity, detectors: [String], delivery: MultiDetector.Delivery,
        now: @escaping @Sendable () -> Timestamp, stages: Bool = false,
        frames: @escaping @Sendable () -> Bool = { false }, barcodes: BarcodeReporting = BarcodeReporting(),
        sink: any EventSink, recorder: (any PipelineRecorder)? = nil,
        complain: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.pipeline = pipeline
        self.delivery = delivery
        self.now = now
        self.sink = sink
        self.recorder = recorder
        self.complain = complain
        lanes = detectors.map { detector in
            EventLane(
                detector, EventEncoder(pipeline: pipeline, barcodes: barcodes), delivery: delivery, now: now,
                stages: stages, frames: frames, sink: sink, recorder: recorder, complain: complain)
        }
    }

    /// Where a lane's output becomes events; nil: no detector of the lane's name was given.
    package func lane(for plan: LanePlan) -> EventLane? {
        let lane = lanes.first { $0.detector == plan.detector }
        lane?.setZones(plan.zones)
        return lane
    }

    /// Writes what the detectors have gathered, in their order. Only while no lane is at work: a frame's events stay together.
    public func flush() {
        for lane in lanes { lane.flush() }
    }

    /// Tells people what the lanes have lost.
    public func report(_ counts: [LaneCounts]) {
        for losses in counts.compactMap(\.losses) { complain(losses) }
    }

    /// Writes a line about the source at once; with `.every`, after what the detectors have gathered.
    public func sourceChanged(_ state: SourceEvent.State, frame: FrameInfo?, error: String? = nil) {
        // With `.newest` the lanes are at work now, and write what is theirs.
        if delivery == .every { flush() }
        let time = delivery == .every ? frame?.time ?? .epoch : now()
        var encoder = EventEncoder(pipeline: pipeline)
        let line = encoder.encode(.source(SourceEvent(state: state, time: time, clock: delivery.clock, error: error)))
        guard let recorder else { return sink.write([line]) }
        recorder.sourceChanges(SourceInput(state: state, frame: frame, error: error), at: time) { sink.write([line]) }
    }
}
