import BarcodeValues
import Events
import Observations
import Search
import Synchronization
import Tracking

/// The delegate that turns the lives of tracks into events: the daemon's own use of `MultiDetector`.
///
/// Each detector's events are gathered while its frame is processed and leave together. With `.newest` they leave when the lane is
/// done; with `.every` when `flush` is called, detector by detector, so that the order does not depend on which thread was faster.
public final class EventEmitter: MultiDetectorDelegate {
    private let lanes: [String: LaneEvents]
    private let order: [String]
    private let pipeline: PipelineIdentity
    private let clock: ClockSource
    private let now: @Sendable () -> Timestamp
    private let withStages: Bool
    private let withFrames: @Sendable () -> Bool
    private let flushesItself: Bool
    private let sink: any EventSink
    private let recorder: (any PipelineRecorder)?
    private let complain: @Sendable (String) -> Void

    /// - Parameters:
    ///   - detectors: in the order in which a frame's events are written.
    ///   - clock: what lines without a frame rest on; with `.file` their time is the last frame's.
    ///   - now: the wall clock, for lines without a frame.
    ///   - frames: whether each frame that a detector processes gets a line; asked for every one.
    ///   - barcodes: whether barcodes' values are typed, and what of them reaches no line.
    ///   - recorder: keeps what the events are a function of; nil: nobody does.
    ///   - complain: takes what people should know and subscribers need not, a line each. Called from several threads.
    public init(
        pipeline: PipelineIdentity, detectors: [String], delivery: MultiDetector.Delivery, clock: ClockSource,
        now: @escaping @Sendable () -> Timestamp, stages: Bool = false,
        frames: @escaping @Sendable () -> Bool = { false }, barcodes: BarcodeReporting = BarcodeReporting(),
        sink: any EventSink,
        recorder: (any PipelineRecorder)? = nil, complain: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.pipeline = pipeline
        order = detectors
        lanes = Dictionary(
            uniqueKeysWithValues: detectors.map {
                ($0, LaneEvents(EventEncoder(pipeline: pipeline, barcodes: barcodes)))
            })
        self.clock = clock
        self.now = now
        withStages = stages
        withFrames = frames
        flushesItself = delivery == .newest
        self.sink = sink
        self.recorder = recorder
        self.complain = complain
    }

    public func tracker(for track: Track, from detector: String) -> (any FeatureTracker)? {
        lanes[detector].map { EventTracker($0) }
    }

    public func laneTakes(_ input: LaneInput, of detector: String) {
        guard let lane = lanes[detector] else { return }
        let time = clock == .file ? .epoch : now()
        lane.takes(at: time)
        recorder?.laneTakes(input, at: time, of: detector)
    }

    public func statusChanged(_ status: DetectorStatus) {
        guard let lane = lanes[status.detector] else { return }
        let event = DetectorEvent(
            detector: status.detector, kind: status.kind, operational: status.isOperational, model: status.model,
            reason: status.reason, time: clock == .file ? status.frame?.time ?? .epoch : lane.inputTime, clock: clock)
        lane.append(event)
        if flushesItself { flush(status.detector) }
    }

    public func detectorFailed(_ failure: DetectorFailure) {
        let count = failure.total == 1 ? "" : " (\(failure.total) failures so far)"
        complain("\(failure.detector): frame \(failure.frame.sequence): \(failure.reason)\(count)")
    }

    public func focusRefused(_ id: TrackID, by detector: String) {
        complain("\(detector): cannot focus on track \(id): it is not live")
    }

    public func capacityReached(by detector: String, frame: FrameInfo) {
        complain("\(detector): frame \(frame.sequence): more to track than the tracker's capacity")
    }

    public func facesTooSmall(_ faces: SmallFaces, for detector: String, frame: FrameInfo) {
        complain("\(detector): frame \(frame.sequence): \(faces)")
    }

    public func pictured(_ picture: SnapshotEvent) {
        lanes[picture.detector]?.append(picture)
        if flushesItself { flush(picture.detector) }
    }

    public func explained(_ explanation: Explanation, in results: DetectionResults) {
        let event = ExplainEvent(detector: results.detector, frame: results.frame, explanation: explanation)
        lanes[results.detector]?.append(.explain(event))
    }

    public func zonesChanged(_ zones: [Zone], of detector: String) {
        lanes[detector]?.setZones(zones)
    }

    public func searchChanged(_ status: SearchStatus, of detector: String, kind: FeatureKind) {
        lanes[detector]?.append(.search(SearchEvent(detector: detector, kind: kind, status: status)))
    }

    public func searchRefused(_ reason: String, by detector: String) {
        complain("search: \(reason)")
    }

    public func settled(_ detector: String) {
        if flushesItself { flush(detector) }
    }

    public func finished(_ results: DetectionResults, stages: LaneStages) {
        if withStages { lanes[results.detector]?.stamp(StageTimes(stages), at: .now) }
        if withFrames(), results.detectorIsOperational { lanes[results.detector]?.appendFrame(of: results) }
        if flushesItself { flush(results.detector) }
    }

    /// Writes what the detectors have gathered, in their order. Only while no lane is at work: a frame's events stay together.
    public func flush() {
        for detector in order { flush(detector) }
    }

    /// Tells people what the lanes have lost.
    public func report(_ counts: [LaneCounts]) {
        for losses in counts.compactMap(\.losses) { complain(losses) }
    }

    /// Writes a line about the source at once; with `.every`, after what the detectors have gathered.
    public func sourceChanged(_ state: SourceEvent.State, frame: FrameInfo?, error: String? = nil) {
        // With `.newest` the lanes are at work now, and write what is theirs.
        if !flushesItself { flush() }
        let time = clock == .file ? frame?.time ?? .epoch : now()
        var encoder = EventEncoder(pipeline: pipeline)
        let line = encoder.encode(.source(SourceEvent(state: state, time: time, clock: clock, error: error)))
        guard let recorder else { return sink.write([line]) }
        recorder.sourceChanges(SourceInput(state: state, frame: frame, error: error), at: time) { sink.write([line]) }
    }

    /// Writes what a detector has gathered.
    package func flush(_ detector: String) {
        guard let events = lanes[detector]?.drain() else { return }
        if let recorder {
            recorder.laneWrites(detector) { if !events.isEmpty { sink.write(events) } }
        } else if !events.isEmpty {
            sink.write(events)
        }
    }
}

/// One detector's events of the frame in hand. Filled by the lane's thread, emptied by it or by the runner's: never at once for
/// long, so a lock costs nothing.
final class LaneEvents: Sendable {
    private struct State {
        var encoder: EventEncoder
        var zones = ZoneWatch()
        /// What came of earlier inputs and has not left. Order is a matter of each input's own events, so that it does not depend on how many of
        /// them leave together.
        var settled: [Event] = []
        /// Of the input in hand: what leaves before the tracks' lines, the lines themselves, and what comes after: a track is told to be in a zone in its life alone.
        var departures: [ZoneEvent] = []
        var events: [Event] = []
        var stays: [ZoneEvent] = []
        /// Its line comes last.
        var frame: FrameEvent?
        var kind: FeatureKind?
        /// Presentation time of the newest frame that had one.
        var framed: Int64?
        var inputTime = Timestamp.epoch
        var pictures = TrackPictures()
        /// When the trackers were done with the newest frame whose stages are known.
        var tracked = ContinuousClock.now

        mutating func settle() {
            for event in departures { settled.append(.zone(event)) }
            settled.append(contentsOf: events)
            for event in stays { settled.append(.zone(event)) }
            for picture in pictures.takeTold() { settled.append(.snapshot(picture)) }
            if let frame { settled.append(.frame(frame)) }
            frame = nil
            departures.removeAll(keepingCapacity: true)
            events.removeAll(keepingCapacity: true)
            stays.removeAll(keepingCapacity: true)
        }
    }

    private let state: Mutex<State>

    init(_ encoder: EventEncoder) {
        state = Mutex(State(encoder: encoder))
    }

    /// When the lane took the input that it is at, by the clock of lines without a frame.
    var inputTime: Timestamp { state.withLock(\.inputTime) }

    func takes(at time: Timestamp) {
        state.withLock { state in
            state.settle()
            state.inputTime = time
        }
    }

    func setZones(_ zones: [Zone]) {
        state.withLock { $0.zones.zones = zones }
    }

    func append(_ event: TrackEvent) {
        state.withLock { state in
            var event = event
            for change in state.zones.take(&event) {
                if case .left = change.change { state.departures.append(change) } else { state.stays.append(change) }
            }
            state.events.append(.track(event))
        }
    }

    func append(_ event: Event) {
        state.withLock { $0.events.append(event) }
    }

    func append(_ event: DetectorEvent) {
        state.withLock { state in
            state.kind = event.kind
            state.events.append(.detector(event))
        }
    }

    /// Tells of the frame in hand, when its tracks have been told of.
    func appendFrame(of results: DetectionResults) {
        state.withLock { state in
            // A frame that repeats the last one's time changes nothing, and nothing is known of it.
            guard let kind = state.kind, state.framed != results.frame.presentationTime else { return }
            state.framed = results.frame.presentationTime
            var frame = FrameEvent(
                detector: results.detector, kind: kind, frame: results.frame, count: results.detections.count)
            for case .track(let event) in state.events {
                switch event.phase {
                case .update: frame.inView += 1
                case .missing: frame.missing += 1
                case .detected, .completed: break
                }
            }
            state.frame = frame
        }
    }

    func append(_ picture: SnapshotEvent) {
        state.withLock { $0.pictures.take(picture) }
    }

    /// The best picture of a track, when it ends.
    func best(of track: TrackID, after phase: TrackPhase) -> SnapshotEvent? {
        state.withLock { $0.pictures.best(of: track, after: phase) }
    }

    func stamp(_ stages: StageTimes, at instant: ContinuousClock.Instant) {
        state.withLock { state in
            state.tracked = instant
            for index in state.events.indices {
                guard case .track(var event) = state.events[index] else { continue }
                event.stages = stages
                state.events[index] = .track(event)
            }
        }
    }

    func drain() -> [EncodedEvent] {
        state.withLock { state in
            state.settle()
            var encoded: [EncodedEvent] = []
            encoded.reserveCapacity(state.settled.count)
            for event in state.settled {
                var line = state.encoder.encode(event)
                if line.stages != nil { line.stages?.emit = StageTimes.microseconds(.now - state.tracked) }
                encoded.append(line)
            }
            state.settled.removeAll(keepingCapacity: true)
            return encoded
        }
    }
}

extension StageTimes {
    fileprivate init(_ stages: LaneStages) {
        self.init(
            decode: stages.decode.map(Self.microseconds), wait: Self.microseconds(stages.wait),
            detect: Self.microseconds(stages.detect), track: Self.microseconds(stages.track))
    }
}
