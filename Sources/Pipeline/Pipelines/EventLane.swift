// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations
import Search
import Synchronization
import Tracking

/// Collects one detector's events of the current frame. The lane's thread fills it, and that thread or the runner's
/// empties it. The lock is short and uncontended, so its cost is negligible.
package final class EventLane: LaneOutlet, Sendable {
    private struct State {
        var encoder: EventEncoder
        var zones = ZoneWatch()
        var lines = LineWatch()
        /// Events of earlier inputs that have not left. The order is determined per input, so it does not depend on how
        /// many inputs leave together.
        var settled: [Event] = []
        /// The events of the current input: zone events before the tracks' lines, the lines themselves, and zone events
        /// and crossings after them. A track enters and leaves zones only between its own first and last line.
        var departures: [ZoneEvent] = []
        var events: [Event] = []
        var stays: [ZoneEvent] = []
        var crossings: [LineEvent] = []
        /// The frame line, which comes last.
        var frame: FrameEvent?
        var kind: FeatureKind?
        /// The presentation time of the newest frame with a frame line.
        var framed: Int64?
        var pictures = TrackPictures()
        /// The time at which the trackers finished the newest frame with known stage times.
        var tracked = ContinuousClock.now
        /// Whether events of that frame have not left.
        var emits = false
        var histograms = StageHistograms()
        /// Sees each event with its line; nil if nobody does.
        let follow: EventEmitter.Follower?

        mutating func settle() {
            for event in departures { settled.append(.zone(event)) }
            settled.append(contentsOf: events)
            for event in stays { settled.append(.zone(event)) }
            for event in crossings { settled.append(.line(event)) }
            for picture in pictures.takeTold() { settled.append(.snapshot(picture)) }
            if let frame { settled.append(.frame(frame)) }
            frame = nil
            departures.removeAll(keepingCapacity: true)
            events.removeAll(keepingCapacity: true)
            stays.removeAll(keepingCapacity: true)
            crossings.removeAll(keepingCapacity: true)
        }

        mutating func append(_ change: TrackChange, of output: LaneOutput) {
            guard let results = output.results(of: change) else { return }
            let best =
                switch change.phase {
                case .detected, .completed: pictures.best(of: change.track.id, after: change.phase)
                case .update, .missing: SnapshotEvent?.none
                }
            var event = TrackEvent(
                phase: change.phase, detector: results.detector, frame: results.frame, track: change.track,
                count: results.detections.count, best: best)
            for change in zones.take(&event) {
                if case .left = change.change { departures.append(change) } else { stays.append(change) }
            }
            crossings += lines.take(event)
            events.append(.track(event))
        }

        /// Adds the frame line after the tracks' lines.
        mutating func appendFrame(of results: DetectionResults) {
            // A frame that repeats the previous time changes nothing, and its counts are unknown.
            guard let kind, framed != results.frame.presentationTime else { return }
            framed = results.frame.presentationTime
            var frame = FrameEvent(
                detector: results.detector, kind: kind, frame: results.frame, count: results.detections.count)
            for case .track(let event) in events {
                switch event.phase {
                case .update: frame.inView += 1
                case .missing: frame.missing += 1
                case .detected, .completed: break
                }
            }
            self.frame = frame
        }

        mutating func stamp(_ stages: StageTimes, at instant: ContinuousClock.Instant) {
            (tracked, emits) = (instant, true)
            histograms.record(.wait, microseconds: UInt64(stages.wait))
            // The detector did not run for a frame without changes.
            if !stages.isReused { histograms.record(.detect, microseconds: UInt64(stages.detect)) }
            histograms.record(.track, microseconds: UInt64(stages.track))
            for index in events.indices {
                guard case .track(var event) = events[index] else { continue }
                event.stages = stages
                events[index] = .track(event)
            }
        }

        /// Gives what has been gathered away, in its order.
        mutating func takeEncoded() -> [EncodedEvent] {
            settle()
            var encoded: [EncodedEvent] = []
            encoded.reserveCapacity(settled.count)
            for event in settled {
                var line = encoder.encode(event)
                if line.stages != nil { line.header.stages?.emit = StageTimes.microseconds(.now - tracked) }
                follow?(event, line)
                encoded.append(line)
            }
            settled.removeAll(keepingCapacity: true)
            if emits { histograms.record(.emit, microseconds: UInt64(StageTimes.microseconds(.now - tracked))) }
            emits = false
            return encoded
        }
    }

    let detector: String
    private let delivery: MultiDetector.Delivery
    private let now: @Sendable () -> Timestamp
    private let withStages: Bool
    private let requested: @Sendable () -> RequestedLines
    private let sink: any EventSink
    private let recorder: (any PipelineRecorder)?
    private let complain: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// The parameters are those of `EventEmitter`.
    init(
        _ detector: String, _ encoder: EventEncoder, delivery: MultiDetector.Delivery,
        now: @escaping @Sendable () -> Timestamp, stages: Bool,
        requested: @escaping @Sendable () -> RequestedLines, sink: any EventSink, recorder: (any PipelineRecorder)?,
        follow: EventEmitter.Follower? = nil,
        complain: @escaping @Sendable (String) -> Void
    ) {
        self.detector = detector
        self.delivery = delivery
        self.now = now
        withStages = stages
        self.requested = requested
        self.sink = sink
        self.recorder = recorder
        self.complain = complain
        state = Mutex(State(encoder: encoder, follow: follow))
    }

    func set(_ zones: [Zone], _ lines: [CrossingLine]) {
        state.withLock { state in
            state.zones.zones = zones
            state.lines.lines = lines
        }
    }

    /// The times of the lane's stages; empty unless stages are measured.
    var histograms: StageHistograms { state.withLock(\.histograms) }

    package var explains: Bool { requested().contains(.explanations) }

    // MARK: What the lane says

    package func take(_ output: LaneOutput, of input: LaneInput?, stages: () -> LaneStages) {
        for report in output.reports { if let line = complaint(report) { complain(line) } }
        // A failure has no line.
        guard let input else { return }
        let time = delivery == .every ? .epoch : now()
        recorder?.laneTakes(input, at: time, of: detector)
        let leavesAtOnce = delivery == .newest && input.hasLinesOfItsOwn
        let events = state.withLock { state in
            state.settle()
            for change in output.changes { state.append(change, of: output) }
            for report in output.reports { append(report, at: time, to: &state) }
            if let results = output.results {
                if withStages { state.stamp(StageTimes(stages(), isReused: results.isReused), at: .now) }
                if results.detectorIsOperational, requested().contains(.frames) { state.appendFrame(of: results) }
            }
            return leavesAtOnce ? state.takeEncoded() : nil
        }
        if let events { write(events) }
    }

    /// - Parameter time: the time at which the lane took the input, by the clock of lines without a frame.
    private func append(_ report: LaneOutput.Report, at time: Timestamp, to state: inout State) {
        switch report {
        case .status(let status):
            state.kind = status.kind
            state.events.append(
                .detector(
                    DetectorEvent(
                        detector: detector, kind: status.kind, operational: status.isOperational,
                        model: status.model, reason: status.reason,
                        time: delivery == .every ? status.frame?.time ?? .epoch : time,
                        clock: delivery.clock)))
        case .picture(let picture): state.pictures.take(picture)
        case .explanation(let explanation, let frame):
            state.events.append(
                .explain(ExplainEvent(detector: detector, frame: frame, explanation: explanation)))
        case .zones(let zones): state.zones.zones = zones
        case .lines(let lines): state.lines.lines = lines
        case .search(let status, let kind):
            state.events.append(.search(SearchEvent(detector: detector, kind: kind, status: status)))
        case .failure, .focusRefused, .capacityReached, .facesTooSmall, .searchRefused: break
        }
    }

    /// The message of a report for people; nil if it has none.
    private func complaint(_ report: LaneOutput.Report) -> String? {
        switch report {
        case .failure(let failure):
            let count = failure.total == 1 ? "" : " (\(failure.total) failures so far)"
            return "\(detector): frame \(failure.frame.sequence): \(failure.reason)\(count)"
        case .focusRefused(let id): return "\(detector): cannot focus on track \(id): the track is not live"
        case .capacityReached(let frame):
            return "\(detector): frame \(frame.sequence): the tracker's capacity is reached"
        case .facesTooSmall(let faces, let frame): return "\(detector): frame \(frame.sequence): \(faces)"
        case .searchRefused(let reason): return "search: \(reason)"
        case .status, .picture, .explanation, .zones, .lines, .search: return nil
        }
    }

    // MARK: What leaves

    /// Writes the lane's collected events.
    package func flush() {
        write(state.withLock { $0.takeEncoded() })
    }

    private func write(_ events: [EncodedEvent]) {
        if let recorder {
            recorder.laneWrites(detector) { if !events.isEmpty { sink.write(events) } }
        } else if !events.isEmpty {
            sink.write(events)
        }
    }
}

extension LaneInput {
    /// Whether the input gives lines that leave when it is done. The lines of the end of all tracks leave detector by
    /// detector.
    fileprivate var hasLinesOfItsOwn: Bool {
        switch self {
        case .status, .results, .unchanged, .failed, .pictured, .search: true
        case .opened, .focus, .rules, .zones, .lines, .complete: false
        }
    }
}

extension StageTimes {
    fileprivate init(_ stages: LaneStages, isReused: Bool) {
        self.init(
            decode: stages.decode.map(Self.microseconds), wait: Self.microseconds(stages.wait),
            detect: Self.microseconds(stages.detect), track: Self.microseconds(stages.track), isReused: isReused)
    }
}
