// SPDX-License-Identifier: Apache-2.0
import Detectors
import EventLines
import Frames
import Glibc
import GlimpseTesting
import Observations
import Pipelines
import Synchronization
import Tracking

/// A run of a pipeline made from a seed: the detections, failures and delays of its detectors, the frames of its
/// source, and its end. A seed always gives an equal run, as far as threads permit.
struct RandomRun {
    enum Ending: Sendable {
        case endOfFile, failure, silence
        case stop(CompletionReason)

        /// Why tracks that live at the end are completed.
        var reason: CompletionReason {
            switch self {
            case .endOfFile: .endOfStream
            case .failure, .silence: .sourceLost
            case .stop(let reason): reason
            }
        }
    }

    private static let kinds: [FeatureKind] = [.face, .barcode, .object, .plate]
    private static let presets: [TrackerConfiguration] = [.face, .barcode, .object, .erratic]

    let seed: UInt64
    let ending: Ending
    let delivery: MultiDetector.Delivery
    /// Every n-th frame of the source is passed on.
    let every: Int
    private let lanes: [LaneConfiguration]
    private let frames: [Frame]
    /// The settings with which a lane continues, by the number of frames before.
    private let reloads: [Int: LaneConfiguration]

    /// - Parameters:
    ///   - epoch: the number of this start of the pipeline.
    ///   - firstTrack: the lowest id that a track may have.
    init(seed: UInt64, epoch: UInt64 = 1, firstTrack: UInt64 = 1) {
        var random = SeededRandom(seed: seed)
        self.seed = seed
        let isLive = Bool.random(using: &random)
        delivery = isLive ? .newest : .every
        every = Int.random(in: 1...3, using: &random)
        let stop = Ending.stop([.shutdown, .reload].randomElement(using: &random) ?? .reload)
        let endings: [Ending] = isLive ? [.failure, .silence, stop] : [.endOfFile, .failure, stop]
        ending = endings.randomElement(using: &random) ?? stop
        lanes = (0..<Int.random(in: 1...3, using: &random)).map { index in
            var lane = Self.lane(index, seed: seed, dawdles: isLive, &random)
            lane.plan.firstTrack = TrackID(firstTrack)
            return lane
        }
        frames = Self.frames(epoch: epoch, &random)
        var reloads: [Int: LaneConfiguration] = [:]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            guard var lane = lanes.randomElement(using: &random) else { break }
            lane.plan.tracking = Self.rules(&random)
            lane.plan.maximumRate = [0, 2, 5].randomElement(using: &random) ?? 0
            if random.chance(0.5) { lane.plan.zones = [Self.zone] }
            reloads[Int.random(in: 0...40, using: &random)] = lane
        }
        self.reloads = reloads
    }

    let pipeline = PipelineIdentity(name: "door")
    var plans: [LanePlan] { lanes.map(\.plan) }

    /// Runs it to its end on this thread.
    func run(
        into sink: RecordingSink, explains: Bool = false, recorder: (any PipelineRecorder)? = nil
    ) -> PipelineRunner.Outcome {
        let ticks = Atomic<Int64>(0)
        let events = EventEmitter(
            pipeline: pipeline, detectors: lanes.map(\.detector.name), delivery: delivery,
            now: { Timestamp(nanoseconds: ticks.add(1, ordering: .relaxed).newValue) }, sink: sink, recorder: recorder)
        let lanes = lanes.map { lane in
            var lane = lane
            lane.plan.explains = explains
            return lane
        }
        let detectors = MultiDetector(lanes, events: events)
        let isSilent = if case .silence = ending { true } else { false }
        let runner = PipelineRunner(stallLimit: isSilent ? .milliseconds(2) : .seconds(60), every: every)
        var rest = frames[...]
        let source = ScriptedSource { [ending, reloads, frames] in
            if let lane = reloads[frames.count - rest.count] { detectors.change(lane, replacesDetector: false) }
            if let frame = rest.popFirst() { return .frame(frame) }
            switch ending {
            case .endOfFile: return .ended
            case .failure: return .failed(SourceError(.failed, "the camera went away"))
            case .silence: return .nothing
            case .stop(let reason):
                runner.stop(reason)
                return .nothing
            }
        }
        return runner.run(source, detectors: detectors, events: events)
    }

    private static func frames(epoch: UInt64, _ random: inout SeededRandom) -> [Frame] {
        let (upright, lying) = (FramePainter(width: 64, height: 48), FramePainter(width: 48, height: 64))
        var (number, seconds) = (0, 0.0)
        return (0..<Int.random(in: 0...40, using: &random)).map { _ in
            number += random.chance(0.1) ? Int.random(in: 2...9, using: &random) : 1
            seconds += Double.random(in: 0.01...0.4, using: &random)
            // A camera that was unplugged, and a clock that was set.
            if random.chance(0.02) { seconds += Double.random(in: -50...50, using: &random) }
            let frame = (random.chance(0.02) ? lying : upright).frame(number, seconds: seconds)
            var info = frame.info
            info.epoch = epoch
            return frame.with(info)
        }
    }

    private static func lane(
        _ index: Int, seed: UInt64, dawdles: Bool, _ random: inout SeededRandom
    ) -> LaneConfiguration {
        let kind = kinds[index]
        let tracking = rules(&random)
        let (loads, isPatchy) = (random.chance(0.9), random.chance(0.3))
        let detector = ScriptedDetectorFactory(kind.rawValue, kind: kind) { () throws(DetectorError) in
            if !loads { throw DetectorError("no model") }
        } script: { frame throws(DetectorError) in
            let number = frame.info.sequence
            var random = SeededRandom(seed: (seed << 20) ^ (number << 4) ^ UInt64(index))
            if dawdles, random.chance(0.1) { usleep(UInt32.random(in: 0...300, using: &random)) }
            if random.chance(0.03) || isPatchy && number / 8 % 3 == 1 { throw DetectorError("odd picture") }
            return sight(kind, &random)
        }
        return LaneConfiguration(
            detector: detector, maximumRate: random.chance(0.2) ? 5 : 0, tracking: tracking,
            focus: random.chance(0.2) ? .largest : .none)
    }

    private static func rules(_ random: inout SeededRandom) -> TrackerConfiguration {
        var tracking = presets.randomElement(using: &random) ?? .face
        if random.chance(0.3) { tracking.hits = Int.random(in: 1...3, using: &random) }
        if random.chance(0.3) { tracking.gap = .frames(limit: Int.random(in: 0...3, using: &random)) }
        if random.chance(0.2) { tracking.capacity = Int.random(in: 1...3, using: &random) }
        return tracking
    }

    private static let zone = Zone(
        name: "left", polygon: [Point(x: 0, y: 0), Point(x: 0.5, y: 0), Point(x: 0.5, y: 1), Point(x: 0, y: 1)])

    /// Four objects that hardly move. Some detections are missed, weak, unread or impossible.
    private static func sight(_ kind: FeatureKind, _ random: inout SeededRandom) -> [Detection] {
        (0..<4).compactMap { index in
            guard random.chance(0.75) else { return nil }
            let jitter = Float.random(in: -2...2, using: &random)
            let width: Float = random.chance(0.02) ? [.nan, -1, 0, .infinity].randomElement(using: &random) ?? 0 : 12
            let box = Box(x: 2 + 11 * Float(index) + jitter, y: 10 + jitter, width: width, height: 12)
            return Detection(
                box: box, confidence: Float.random(in: 0.05...1, using: &random), content: content(kind, &random))
        }
    }

    private static func content(_ kind: FeatureKind, _ random: inout SeededRandom) -> Detection.Content {
        if kind == .plate {
            let text = random.chance(0.5) ? #"{"value":"code \(Int.random(in: 0..<3, using: &random))"}"# : "{}"
            if let plate = try? CustomFeature(kind: kind, json: Array(text.utf8)) { return .custom(plate) }
        }
        guard kind == .barcode else {
            return kind == .face ? .face(Face()) : .object(ObjectLabels(labels: []))
        }
        let text = "code \(Int.random(in: 0..<3, using: &random))"
        let point = Point(x: 1, y: 1)
        let corners = Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point)
        return .barcode(Barcode(format: .qrCode, raw: text, bytes: Array(text.utf8), corners: corners))
    }
}

extension SeededRandom {
    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
}
