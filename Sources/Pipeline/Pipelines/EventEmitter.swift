// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import EventLines
import Observations
import Synchronization

/// Turns the lives of tracks into events; the daemon uses `MultiDetector` through this class.
///
/// The events of each detector are collected while its frame is processed, and leave together. With `.newest` they
/// leave when the lane is done. With `.every` they leave when `flush` is called, in the order of the detectors, so that
/// the order does not depend on the threads' speed.
public final class EventEmitter: Sendable {
    /// Sees an event of a lane with its line, on the lane's thread.
    package typealias Follower = @Sendable (Event, EncodedEvent) -> Void

    let delivery: MultiDetector.Delivery
    private let lanes: [EventLane]
    private let pipeline: PipelineIdentity
    private let now: @Sendable () -> Timestamp
    private let sink: any EventSink
    private let recorder: (any PipelineRecorder)?
    private let complain: @Sendable (String) -> Void

    /// - Parameters:
    ///   - detectors: in the order in which a frame's events are written.
    ///   - delivery: with `.every`, the time of lines without a frame is the last frame's.
    ///   - now: the wall clock, for lines without a frame.
    ///   - frames: whether each frame that a detector processes gets a line; called for every frame.
    ///   - barcodes: whether values of barcodes are typed, and which parts are redacted.
    ///   - recorder: records the inputs from which the events follow; nil if the run is not recorded.
    ///   - complain: takes messages for people that subscribers do not need, one line each. Called on several threads.
    public convenience init(
        pipeline: PipelineIdentity, detectors: [String], delivery: MultiDetector.Delivery,
        now: @escaping @Sendable () -> Timestamp, stages: Bool = false,
        frames: @escaping @Sendable () -> Bool = { false }, barcodes: BarcodeReporting = BarcodeReporting(),
        sink: any EventSink, recorder: (any PipelineRecorder)? = nil,
        complain: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(
            pipeline: pipeline, detectors: detectors, delivery: delivery, now: now, stages: stages,
            requested: { frames() ? .frames : [] }, barcodes: barcodes, sink: sink, recorder: recorder, follow: nil,
            complain: complain)
    }

    /// - Parameters:
    ///   - requested: the requested lines that lanes write; called for every frame.
    ///   - follow: sees the events of the lanes before the sink.
    package init(
        pipeline: PipelineIdentity, detectors: [String], delivery: MultiDetector.Delivery,
        now: @escaping @Sendable () -> Timestamp, stages: Bool,
        requested: @escaping @Sendable () -> RequestedLines, barcodes: BarcodeReporting, sink: any EventSink,
        recorder: (any PipelineRecorder)?, follow: Follower?,
        complain: @escaping @Sendable (String) -> Void
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
                stages: stages, requested: requested, sink: sink, recorder: recorder, follow: follow,
                complain: complain)
        }
    }

    /// The object that turns the lane's output into events; nil if no detector has the lane's name.
    package func lane(for plan: LanePlan) -> EventLane? {
        let lane = lanes.first { $0.detector == plan.detector }
        lane?.set(plan.zones, plan.lines)
        return lane
    }

    /// Writes the collected events in the order of the detectors. Call it only while no lane is processing, so that a
    /// frame's events stay together.
    public func flush() {
        for lane in lanes { lane.flush() }
    }

    /// The metrics with the times of the lanes' stages. Any thread may call it.
    package func addStages(to metrics: [LaneMetrics]) -> [LaneMetrics] {
        metrics.map { metrics in
            var metrics = metrics
            if let lane = lanes.first(where: { $0.detector == metrics.detector }) { metrics.stages = lane.histograms }
            return metrics
        }
    }

    /// Reports the lanes' losses to people.
    public func report(_ metrics: [LaneMetrics]) {
        for losses in metrics.compactMap(\.losses) { complain(losses) }
    }

    /// Passes on a message for people.
    func remark(_ text: String) { complain(text) }

    /// Writes a line about the source at once; with `.every`, after the detectors' collected events.
    public func sourceChanged(_ state: SourceEvent.State, frame: FrameInfo?, error: String? = nil) {
        // With `.newest` the lanes are processing and write their own events.
        if delivery == .every { flush() }
        let time = delivery == .every ? frame?.time ?? .epoch : now()
        var encoder = EventEncoder(pipeline: pipeline)
        let line = encoder.encode(.source(SourceEvent(state: state, time: time, clock: delivery.clock, error: error)))
        guard let recorder else { return sink.write([line]) }
        recorder.sourceChanges(SourceInput(state: state, frame: frame, error: error), at: time) { sink.write([line]) }
    }
}
