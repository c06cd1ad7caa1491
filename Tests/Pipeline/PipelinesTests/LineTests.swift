// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import Detectors
import EventLines
import Frames
import GlimpseTesting
import Observations
import Pipelines
import Tapes
import Testing
import Tracking

/// The lines that tracks cross, from the detector's boxes to the event lines.
@Suite struct LineTests {
    private let painter = FramePainter()

    /// Down the middle of the picture: its left is the right half of the picture.
    private static let door = CrossingLine(
        name: "door", from: Point(x: 0.5, y: 0.2), to: Point(x: 0.5, y: 0.8), anchor: .centre, hysteresis: 0.02)

    /// A face of a tenth of the picture with this centre; nil: the frame shows none.
    private static func face(_ centre: Point?, in frame: Frame) -> [Detection] {
        guard let centre else { return [] }
        let (width, height) = (Float(frame.info.width), Float(frame.info.height))
        let box = Box(
            x: (centre.x - 0.05) * width, y: (centre.y - 0.05) * height, width: 0.1 * width, height: 0.1 * height)
        return [Detection(box: box, confidence: 0.95, content: .face(Face()))]
    }

    /// One frame each tenth of a second.
    private func run(
        _ path: [Point?], lines: [CrossingLine] = [door], changes: [Int: [CrossingLine]] = [:],
        recorder: TapeRecorder? = nil
    ) -> RecordingSink {
        let sink = RecordingSink()
        let emitter = EventEmitter(
            pipeline: PipelineIdentity(name: "hall"), detectors: ["face"], delivery: .every, now: { .epoch },
            sink: LineCounter(next: sink), recorder: recorder)
        var lane = LaneConfiguration(
            detector: ScriptedDetectorFactory("face") { frame in
                Self.face(path[Int(frame.info.sequence) - 1], in: frame)
            }, tracking: .face)
        lane.plan.lines = lines
        let detectors = MultiDetector([lane], events: emitter)
        for number in 1...path.count {
            if let lines = changes[number] {
                lane.plan.lines = lines
                detectors.change(lane, replacesDetector: false)
            }
            detectors.receive(painter.frame(number, seconds: Double(number) / 10))
            emitter.flush()
        }
        detectors.completeAll(.endOfStream)
        emitter.flush()
        return sink
    }

    /// `in at 4: 1/0`: the direction, the frame and the totals of each crossing.
    private func crossings(_ sink: RecordingSink) throws -> [String] {
        try sink.events.filter { $0.kind == .line }.map { event in
            let line = try StreamLine(event.line)
            return "\(line.direction ?? "") at \(line.frame?.seq ?? 0): \(line.in ?? 0)/\(line.out ?? 0)"
        }
    }

    private func expect(_ expected: [String], of sink: RecordingSink) throws {
        let found = try crossings(sink)
        #expect(found == expected, "\(found)")
    }

    private func points(_ x: [Float?], y: Float = 0.5) -> [Point?] { x.map { $0.map { Point(x: $0, y: y) } } }

    /// Somebody who walks down the line has the left half of the picture on the right hand.
    @Test func aCrossingHasADirection() throws {
        let leftwards: [Float] = [0.56, 0.54, 0.51, 0.49, 0.47, 0.45]
        try expect(["in at 5: 1/0"], of: run(points(leftwards)))
        try expect(["out at 5: 0/1"], of: run(points(leftwards.reversed())))
        let turned = CrossingLine(
            name: "door", from: Self.door.to, to: Self.door.from, anchor: .centre, hysteresis: 0.02)
        try expect(["out at 5: 0/1"], of: run(points(leftwards), lines: [turned]))
    }

    @Test func thereAndBackIsTwoCrossings() throws {
        let path: [Float] = [0.44, 0.47, 0.50, 0.53, 0.56, 0.53, 0.50, 0.47, 0.44, 0.47, 0.5, 0.53]
        try expect(["out at 4: 0/1", "in at 8: 1/1", "out at 12: 1/2"], of: run(points(path)))
    }

    @Test func aTrackThatJittersOnTheLineCountsOnce() throws {
        let jitter: [Float] = [
            0.44, 0.47, 0.495, 0.505, 0.495, 0.51, 0.49, 0.515, 0.485, 0.5, 0.51, 0.53, 0.515, 0.505, 0.53,
        ]
        try expect(["out at 12: 0/1"], of: run(points(jitter)))
        let back: [Float] = [0.44, 0.47, 0.495, 0.51, 0.49, 0.47, 0.45]
        try expect([], of: run(points(back)))
    }

    @Test func aTrackFirstSeenPastTheLineDoesNotCount() throws {
        try expect([], of: run(points([0.53, 0.55, 0.57])))
    }

    @Test func aTrackFirstSeenOnTheLineHasNoSideUntilItLeavesIt() throws {
        try expect([], of: run(points([0.49, 0.505, 0.53, 0.55])))
        // From then on it counts.
        try expect(["in at 5: 1/0"], of: run(points([0.49, 0.505, 0.53, 0.5, 0.47])))
    }

    @Test func aTrackThatDisappearsOnTheLineDoesNotCount() throws {
        try expect([], of: run(points([0.44, 0.47, 0.49, 0.505]) + points(.init(repeating: nil, count: 20))))
    }

    @Test func aTrackThatIsMissingWhileItCrossesCountsWhenItIsBack() throws {
        try expect(["out at 6: 0/1"], of: run(points([0.44, 0.46, 0.48, nil, nil, 0.54, 0.56])))
    }

    @Test func aWayAroundAnEndDoesNotCount() throws {
        let down: [Float] = [0.72, 0.75, 0.78, 0.81, 0.84]
        let around =
            down.map { Point(x: 0.46, y: $0) } + points([0.48, 0.5, 0.52, 0.54], y: 0.84)
            + down.reversed().map { Point(x: 0.54, y: $0) }
        try expect([], of: run(around))
        // Back through the line.
        try expect(["in at 17: 1/0"], of: run(around + points([0.52, 0.5, 0.48, 0.46], y: 0.72)))
    }

    @Test func exactlyOnTheLineIsNoSide() throws {
        var line = Self.door
        line.hysteresis = 0
        try expect([], of: run(points([0.45, 0.5, 0.5, 0.45]), lines: [line]))
        try expect(["out at 4: 0/1"], of: run(points([0.45, 0.5, 0.5, 0.55]), lines: [line]))
    }

    @Test func kindsAndLabelsChooseTheTracksThatCount() throws {
        var (objects, people) = (Self.door, Self.door)
        objects.kinds = [.object]
        people.labels = ["person"]
        let path = points([0.44, 0.47, 0.5, 0.53])
        try expect([], of: run(path, lines: [objects]))
        try expect([], of: run(path, lines: [people]))
    }

    @Test func theLowerEdgeOfTheBoxMayCross() throws {
        let line = CrossingLine(
            name: "kerb", from: Point(x: 0, y: 0.5), to: Point(x: 1, y: 0.5), anchor: .bottom, hysteresis: 0)
        let path = [0.42, 0.44, 0.46, 0.48].map { Point(x: 0.5, y: $0) }
        // The lower edge is 0.05 below the centre. Downwards is to the right of somebody who walks to the right.
        try expect(["in at 3: 1/0"], of: run(path, lines: [line]))
    }

    @Test func aLineMayChangeWhileItIsCrossed() throws {
        var moved = Self.door
        (moved.from.x, moved.to.x) = (0.6, 0.6)
        let path = points([0.44, 0.47, 0.49, 0.53, 0.55, 0.58, 0.6, 0.63])
        try expect(["out at 8: 0/1"], of: run(path, changes: [3: [moved]]))
        try expect([], of: run(path, changes: [3: []]))
        var (renamed, wider) = (Self.door, Self.door)
        renamed.name = "gate"
        wider.hysteresis = 0.04
        try expect([], of: run(path, changes: [3: [renamed]]))
        // The track keeps its side where only the rule changes.
        try expect(["out at 5: 0/1"], of: run(path, changes: [3: [wider]]))
    }

    /// Random walks, against the definition: a crossing for each change of the last side farther than the hysteresis.
    @Test(arguments: 1...20) func crossingsOfRandomWalksFollowTheDefinition(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var x: Float = 0.45
        var walk: [Float] = []
        for _ in 0..<200 {
            walk.append(x)
            x = min(max(x + Float.random(in: -0.02...0.02, using: &random), 0.4), 0.6)
        }
        var (side, expected): (Bool?, [String]) = (nil, [])
        for (index, x) in walk.enumerated() where abs(x - 0.5) >= 0.02 {
            if let side, side != (x > 0.5) { expected.append("\(x > 0.5 ? "out" : "in") at \(index + 1)") }
            side = x > 0.5
        }
        let found = try crossings(run(points(walk))).map { String($0.prefix { $0 != ":" }) }
        #expect(found == expected)
    }
}
