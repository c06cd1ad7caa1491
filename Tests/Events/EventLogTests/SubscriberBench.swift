// SPDX-License-Identifier: Apache-2.0
@testable import EventLines
@testable import EventLog
import GlimpseTesting
import Observations

/// A log, a subscriber and a clock that only the test moves.
struct SubscriberBench {
    var log: EventLog
    var subscriber: Subscriber
    private let limits: Subscriber.Limits
    /// Whether the reader may have been further behind than its queue.
    var isSlowReader: Bool { limits.queue < 1 << 20 }
    var moment = Moment(instant: .now, time: .epoch)
    private var encoder = EventEncoder(pipeline: PipelineIdentity(name: "door"))
    private(set) var frame: UInt64 = 0
    /// The journal on disk, if there is one.
    var disk = ScriptedArchive()
    private var isKeptOnDisk = false
    /// The steps that the subscriber may take in a turn.
    var stepsOfTurn = Int.max
    /// The greatest number of steps in one turn since the greeting.
    private(set) var mostSteps = 0

    init(queue: Int = 1 << 20, journal: Int = 1000) {
        log = EventLog(runID: "run", limits: .init(events: journal, bytes: 1 << 30))
        limits = .init(queue: queue, stall: .seconds(60), heartbeat: .seconds(15))
        subscriber = Subscriber(server: "test", limits: limits, at: moment)
        log.addPipeline(PipelineIdentity(name: "door"))
    }

    /// One line in a frame of its own, a thirtieth of a second after the last.
    ///
    /// - Parameter text: a barcode's value, an object's label.
    mutating func append(
        _ phase: TrackPhase, id: UInt64, kind: FeatureKind = .face, confidence: Float? = 0.875,
        text: String = "4006381333931", zones: [String] = [], stages: StageTimes? = nil
    ) {
        frame += 1
        var event = SampleEvents.trackEvent(phase, kind, id: id, frame: frame, text: text)
        event.track.detection.confidence = confidence
        event.zones = zones
        event.stages = stages
        if kind == .object {
            event.track.detection.content = .object(
                ObjectLabels(labels: [Label(text: text, index: 1, confidence: 0.5)]))
        }
        log.append(encoder.encode(.track(event)), pipeline: 0)
        guard isKeptOnDisk else { return }
        disk.appendNewest(of: log.journal)
    }

    mutating func append(crossing direction: CrossingLine.Direction, of line: String, id: UInt64) {
        var samples = SampleEvents()
        log.append(samples.crossing(direction, line, id: id), pipeline: 0)
    }

    /// A track enters a zone, dwells in it and leaves it.
    mutating func append(zone: String, id: UInt64) {
        var samples = SampleEvents()
        for line in samples.zoneLines(zone, id: id) { log.append(line, pipeline: 0) }
    }

    /// From here on, appended events go to disk too.
    mutating func keepOnDisk() { isKeptOnDisk = true }

    /// Another subscriber of the same log.
    func joined(_ requests: String...) -> (bench: SubscriberBench, lines: [StreamLine]) {
        var other = self
        other.subscriber = Subscriber(server: "test", limits: limits, at: moment)
        _ = other.connect()
        var lines: [StreamLine] = []
        for request in requests { lines += other.request(request) }
        lines += other.read()
        return (other, lines)
    }

    mutating func updates(_ count: Int, id: UInt64 = 1) { for _ in 0..<count { append(.update, id: id) } }

    mutating func connect() -> [StreamLine] {
        if isKeptOnDisk { log.archive = disk.archive }
        subscriber.connected(at: moment)
        defer { mostSteps = 0 }
        return lines(answers())
    }

    /// - Returns: the answers, however many steps they take.
    mutating func request(_ line: String) -> [StreamLine] { lines(answers(line)) }

    mutating func answers(_ line: String) -> [Subscriber.Action] {
        subscriber.received(Array((line + "\n").utf8))
        return answers()
    }

    private mutating func answers() -> [Subscriber.Action] {
        var actions: [Subscriber.Action] = []
        while subscriber.isAsking {
            actions += turn { $0.subscriber.nextAnswers($0.log, at: $0.moment, steps: &$1) }
        }
        return actions
    }

    /// - Returns: what there is to write, however many steps it takes.
    mutating func writes() -> [Subscriber.Action] {
        turn { $0.subscriber.nextWrites($0.log, at: $0.moment, steps: &$1) }
    }

    mutating func turn(_ body: (inout Self, inout Int) -> [Subscriber.Action]) -> [Subscriber.Action] {
        var steps = stepsOfTurn
        defer { mostSteps = max(mostSteps, stepsOfTurn - steps) }
        return body(&self, &steps)
    }

    mutating func pass(_ duration: Duration, drained: UInt64 = 0, isWaiting: Bool = false) -> [Subscriber.Action] {
        moment = moment.advanced(by: duration)
        subscriber.holdEnded(at: moment)
        return subscriber.timePassed(drained: drained, isWaiting: isWaiting, at: moment)
    }

    /// Everything that the subscriber is given while there is room.
    ///
    /// - Parameter steps: turns that it is given; what it waits for on disk comes at once.
    mutating func read(steps: Int = .max) -> [StreamLine] {
        var all: [StreamLine] = []
        var steps = steps
        while steps > 0 {
            steps -= 1
            if isKeptOnDisk { log.archive = disk.archive }
            let actions = writes()
            if actions.isEmpty, !subscriber.isBehind(log) { return all }
            all += lines(actions)
            for case .fetch(let sequence) in actions {
                subscriber.fetched(disk.page(from: sequence))
            }
        }
        return all
    }

    private func line(_ bytes: [UInt8]) -> StreamLine {
        do { return try StreamLine(bytes) } catch { preconditionFailure("not a line of JSON: \(error)") }
    }

    func lines(_ actions: [Subscriber.Action]) -> [StreamLine] {
        actions.flatMap { action -> [StreamLine] in
            switch action {
            case .send(let bytes):
                return bytes.split(separator: UInt8(ascii: "\n")).map { line(Array($0)) }
            case .sendRecords(let sequences): return sequences.map { line(log.journal.line($0)) }
            case .close, .fetch: return []
            }
        }
    }
}
