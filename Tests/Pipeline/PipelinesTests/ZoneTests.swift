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

/// The zones of tracks, from the detector's boxes to the lines.
@Suite struct ZoneTests {
    private let painter = FramePainter()

    private static let left = Zone(name: "left", polygon: rectangle(0, 0, 0.5, 1))
    private static let lower = Zone(name: "lower", polygon: rectangle(0, 0.5, 1, 1), anchor: .bottom)

    private static func rectangle(_ x: Float, _ y: Float, _ right: Float, _ bottom: Float) -> [Point] {
        [Point(x: x, y: y), Point(x: right, y: y), Point(x: right, y: bottom), Point(x: x, y: bottom)]
    }

    /// Faces of a tenth of the picture with these centres. nil is a frame without a detection.
    private static func face(_ centre: Point?, in frame: Frame) -> [Detection] {
        guard let centre else { return [] }
        let (width, height) = (Float(frame.info.width), Float(frame.info.height))
        let box = Box(
            x: (centre.x - 0.05) * width, y: (centre.y - 0.05) * height, width: 0.1 * width, height: 0.1 * height)
        return [Detection(box: box, confidence: 0.95, content: .face(Face()))]
    }

    /// One frame each tenth of a second.
    ///
    /// - Parameter changes: zones from a frame on.
    private func run(
        _ path: [Point?], zones: [Zone], changes: [Int: [Zone]] = [:], recorder: TapeRecorder? = nil
    ) -> RecordingSink {
        let sink = RecordingSink()
        let emitter = EventEmitter(
            pipeline: PipelineIdentity(name: "door"), detectors: ["face"], delivery: .every,
            now: { .epoch }, sink: sink, recorder: recorder)
        var lane = LaneConfiguration(
            detector: ScriptedDetectorFactory("face") { frame in
                Self.face(path[Int(frame.info.sequence) - 1], in: frame)
            }, tracking: .face)
        lane.plan.zones = zones
        let detectors = MultiDetector([lane], events: emitter)
        for number in 1...path.count {
            if let zones = changes[number] {
                lane.plan.zones = zones
                detectors.change(lane, replacesDetector: false)
            }
            detectors.receive(painter.frame(number, seconds: Double(number) / 10))
            emitter.flush()
        }
        detectors.completeAll(.endOfStream)
        emitter.flush()
        return sink
    }

    /// The track lines with their zones, and the zone lines with their content.
    private func summaries(_ sink: RecordingSink) throws -> [String] {
        try sink.events.compactMap { event in
            guard event.kind.isTrack || event.kind == .zone else { return nil }
            let line = try StreamLine(event.line)
            guard event.kind == .zone else {
                return line.type + (line.zones.map { " in \($0.joined(separator: ", "))" } ?? "")
            }
            return "\(line.state ?? "") \(line.zone ?? "")" + (line.dwell_ms.map { " \($0)" } ?? "")
        }
    }

    private func points(_ x: [Float?], y: Float = 0.25) -> [Point?] { x.map { $0.map { Point(x: $0, y: y) } } }

    @Test func aTrackEntersAndLeavesAZone() throws {
        let sink = run(points([0.54, 0.52, 0.49, 0.485, 0.51, 0.53, 0.55]), zones: [Self.left])
        #expect(
            try summaries(sink) == [
                "detected", "update", "update", "update in left", "entered left", "update in left", "update in left",
                "left left 300", "update", "update", "completed",
            ])
        #expect(violation(in: sink.lines) == nil)
    }

    /// A track less than the hysteresis outside is still inside. A track from outside must cross the edge.
    @Test func theEdgeOfAZoneHasAWidthForTracksInside() throws {
        let near = points([0.51, 0.49, 0.51, 0.49, 0.515, 0.525, 0.51])
        #expect(
            try summaries(run(near, zones: [Self.left])).filter { !$0.hasPrefix("update") } == [
                "detected", "entered left", "left left 400", "completed",
            ])
        var sharp = Self.left
        sharp.hysteresis = 0
        #expect(try summaries(run(near, zones: [sharp])).count { $0.hasPrefix("left left") } == 2)
    }

    @Test func aCompletedTrackLeavesItsZonesAndAMissingTrackDoesNot() throws {
        let path = points([0.3, 0.3, nil, nil, 0.3] + Array(repeating: nil, count: 15))
        let summaries = try summaries(run(path, zones: [Self.left]))
        #expect(summaries.prefix(3) == ["detected in left", "update in left", "entered left"])
        #expect(summaries.suffix(2) == ["left left 100", "completed in left"])
        #expect(summaries.filter { $0.hasPrefix("missing") }.allSatisfy { $0 == "missing in left" })
    }

    /// Dwell time does not grow between two sightings or after the last one.
    @Test func timeOfAMissingTrackIsNotDwellTimeInAZone() throws {
        var zone = Self.left
        zone.dwell = 500_000_000
        let gone: [Float?] = Array(repeating: nil, count: 15)
        func ends(_ path: [Float?]) throws -> [String] {
            let summaries = try summaries(run(points(path + gone), zones: [zone]))
            return summaries.filter { $0.hasPrefix("dwelling") || $0.hasPrefix("left") }
        }
        #expect(try ends([0.3, 0.3, 0.3, 0.3]) == ["left left 300"])
        #expect(try ends([0.3, 0.3, 0.3, nil, nil, nil, 0.3, 0.3]) == ["left left 300"])
        #expect(
            try ends([0.3, 0.3, 0.3, 0.3, nil, nil, 0.3, 0.3, 0.3]) == ["dwelling left 500", "left left 500"])
    }

    @Test(arguments: Fuzz.seeds(60)) func dwellingComesWithAnUpdateAndItsTimeNeverShrinks(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var zone = Self.left
        zone.dwell = Int64.random(in: 1...8, using: &random) * 100_000_000
        var isThere = true
        let path: [Float?] = (0..<60).map { _ in
            if Int.random(in: 0..<5, using: &random) == 0 { isThere.toggle() }
            return isThere ? Float.random(in: 0.4...0.53, using: &random) : nil
        }
        let sink = run(points(path), zones: [zone])
        #expect(violation(in: sink.lines) == nil)
        var dwelling: [String: Int] = [:]
        var updated: (frame: UInt64?, id: String?)
        for event in sink.events where event.kind.isTrack || event.kind == .zone {
            let line = try StreamLine(event.line)
            let id = try #require(line.track?.id)
            if line.type == "update" { updated = (line.frame?.seq, id) }
            if line.state == "dwelling" {
                #expect(updated == (line.frame?.seq, id))
                dwelling[id] = line.dwell_ms
            }
            if line.state == "left", let dwell = dwelling.removeValue(forKey: id) { #expect(line.dwell_ms! >= dwell) }
        }
    }

    @Test func theAnchorOfAZoneIsTheCentreOrTheFoot() throws {
        // The centre is above the middle, the foot below it.
        let path = points([0.8, 0.8], y: 0.47)
        #expect(try summaries(run(path, zones: [Self.lower])).contains("entered lower"))
        var byCentre = Self.lower
        byCentre.anchor = .centre
        #expect(try !summaries(run(path, zones: [byCentre])).contains("entered lower"))
        // A foot below the picture's edge is at the edge, and that is inside.
        #expect(try summaries(run(points([0.8], y: 0.99), zones: [Self.lower])).contains("entered lower"))
    }

    @Test func aZoneAppliesToItsKinds() throws {
        var zone = Self.left
        zone.kinds = [.barcode, .object]
        #expect(try !summaries(run(points([0.3, 0.3]), zones: [zone])).contains { $0.contains("left") })
        zone.kinds = [.face]
        #expect(try summaries(run(points([0.3, 0.3]), zones: [zone])).contains("entered left"))
    }

    @Test func zonesThatChangeInARun() throws {
        let path = points([0.3, 0.3, 0.3, 0.3])
        var wide = Self.left
        wide.polygon = Self.rectangle(0, 0, 0.9, 1)
        // A zone with another shape stays the same zone. A zone with another name is another zone.
        var renamed = wide
        renamed.name = "right"
        let sink = run(path, zones: [Self.left], changes: [2: [wide], 3: [renamed], 4: []])
        #expect(
            try summaries(sink) == [
                "detected in left", "update in left", "entered left", "update in left", "left left 200",
                "update in right", "entered right", "left right 100", "update", "completed",
            ])
        #expect(violation(in: sink.lines) == nil)
    }

    /// A pipeline's lines also depend on zones that change while the pipeline runs.
    @Test(arguments: Fuzz.seeds(40)) func aReplayGivesEqualZoneLines(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func zones() -> [Zone] {
            (0..<Int.random(in: 0...3, using: &random)).map { index in
                let (x, y) = (Float.random(in: 0...0.5, using: &random), Float.random(in: 0...0.5, using: &random))
                return Zone(
                    name: "z\(index)", polygon: Self.rectangle(x, y, x + 0.4, y + 0.4),
                    anchor: Bool.random(using: &random) ? .centre : .bottom, dwell: 200_000_000)
            }
        }
        var place = Point(x: 0.5, y: 0.5)
        let path: [Point?] = (0..<40).map { _ in
            place.x = min(1, max(0, place.x + Float.random(in: -0.06...0.06, using: &random)))
            place.y = min(1, max(0, place.y + Float.random(in: -0.06...0.06, using: &random)))
            return Int.random(in: 0..<5, using: &random) == 0 ? nil : place
        }
        let (first, changes) = (zones(), [Int.random(in: 2...40, using: &random): zones()])
        let scope = TestScope()
        let header = TapeHeader(clock: .file, configuration: "", lanes: ["face"])
        let recorder = try TapeRecorder(scope.path("tape"), header) { Issue.record("\($0)") }
        let live = run(path, zones: first, changes: changes, recorder: recorder)
        recorder.finish()
        #expect(violation(in: live.lines) == nil)

        let replayed = RecordingSink()
        let plan = LanePlan(detector: "face", tracking: .face, zones: first)
        var replay = Replay(
            header, plans: [plan], pipeline: PipelineIdentity(name: "door"), barcodes: BarcodeReporting(),
            sink: replayed, complain: { _ in })
        var reader = try TapeReader(scope.path("tape"))
        while let record = try reader.next() { replay.take(record) }
        #expect(replayed.text == live.text)
    }

    @Test func distancesToEdgesAndCornersOfAZone() {
        let triangle = Zone(name: "t", polygon: [Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 0, y: 1)])
        #expect(triangle.contains(Point(x: 0.25, y: 0.25)) && !triangle.contains(Point(x: 0.6, y: 0.6)))
        for corner in triangle.polygon { #expect(triangle.contains(corner)) }
        #expect(abs(triangle.distanceFromEdge(Point(x: 1, y: 1)) - Float(0.5).squareRoot()) < 1e-6)
        #expect(abs(triangle.distanceFromEdge(Point(x: 0.5, y: -0.25)) - 0.25) < 1e-6)
    }
}
