// SPDX-License-Identifier: Apache-2.0
@testable import EventLines
@testable import EventLog
import GlimpseTesting
@testable import JSONLines
import Observations
import Testing

@Suite struct EventLogTests {
    private var events = SampleEvents(tags: ["site": "north"])
    private var log = EventLog(runID: "0123456789abcdef", limits: .init(events: 100, bytes: 1 << 20))

    private mutating func append(_ event: EncodedEvent, to pipeline: Int = 0) -> Bool {
        log.append(event, pipeline: pipeline)
    }

    init() {
        log.addPipeline(events.identity)
    }

    @Test mutating func sequenceNumbersAreGaplessAndLineLengthsAreExact() throws {
        for frame in 1...12 as ClosedRange<UInt64> {
            let isIn = append(events.track(.update, .barcode, id: 1, frame: frame))
            #expect(isIn)
        }
        var bytes: UInt64 = 0
        for sequence in 1...12 as ClosedRange<UInt64> {
            let record = log.journal[sequence]
            let line = try StreamLine(log.journal.line(sequence))
            #expect(line.seq == sequence && line.run_id == log.runID)
            #expect(record.sequence == sequence && record.offset == bytes)
            bytes += UInt64(log.journal.line(sequence).count)
        }
        #expect(log.journal.offset(of: 13) == bytes)
        #expect(log.counts[.update] == 12)
    }

    @Test(arguments: [
        EncodedEvent(kind: .update, body: []),
        EncodedEvent(kind: .update, body: Array(#""type":"update","pipeline":"porch"}"#.utf8)),
        EncodedEvent(kind: .detected, body: Array(#""type":"update","pipeline":"door"}"#.utf8)),
        EncodedEvent(kind: .update, body: Array(#""type":"update","pipeline":"door""#.utf8)),
        EncodedEvent(kind: .update, body: Array("\"type\":\"update\",\"pipeline\":\"door\"}\n{}".utf8)),
        EncodedEvent(
            kind: .update,
            body: Array(#""type":"update","pipeline":"door""#.utf8) + Array(repeating: 0x20, count: 65_400) + [0x7D]),
    ])
    mutating func aLineOfAnotherPipelineIsRefused(event: EncodedEvent) {
        let isIn = append(event)
        #expect(!isIn)
        #expect(log.refused == 1 && log.journal.count == 0)
    }

    /// After the death of a worker, no track of the worker is in a zone.
    @Test mutating func aTrackThatTheSupervisorEndsHasLeftItsZones() throws {
        var encoder = EventEncoder(pipeline: events.identity)
        for id in [2, 1] as [UInt64] {
            var event = SampleEvents.trackEvent(.detected, id: id, frame: 3)
            event.zones = ["de\"sk", "door"]
            let isIn = append(encoder.encode(.track(event)))
            #expect(isIn)
        }
        log.completeTracks(ofPipeline: 0, reason: .sourceLost)
        let lines = try (5...10).map { try StreamLine(log.journal.line($0)) }
        #expect(lines.map(\.type) == ["zone", "zone", "zone", "zone", "completed", "completed"])
        #expect(lines.map(\.track?.id) == ["1", "1", "2", "2", "1", "2"])
        #expect(lines.map(\.zone) == ["de\"sk", "door", "de\"sk", "door", nil, nil])
        #expect(lines.prefix(4).allSatisfy { $0.state == "left" })
        #expect(lines[4].zones == ["de\"sk", "door"])
        #expect(try EventSchema.violations(in: lines.map { Array($0.text.utf8) }) == [])
    }

    /// Totals outlive workers, reloads and the pipeline, and a worker cannot set them.
    @Test mutating func totalsOfCrossingsOutliveWorkers() throws {
        var samples = SampleEvents()
        func totals(_ log: EventLog) throws -> [Int] {
            let line = try StreamLine(log.journal.line(log.journal.nextSequence - 1))
            return [line.in ?? -1, line.out ?? -1]
        }
        log.append(samples.crossing(.in), pipeline: 0)
        #expect(try totals(log) == [1, 0])
        log.startPipeline(0)
        log.append(samples.crossing(.out), pipeline: 0)
        #expect(try totals(log) == [1, 1])
        log.removePipeline(0)
        log.addPipeline(samples.identity)
        log.append(samples.crossing(.in), pipeline: 0)
        #expect(try totals(log) == [2, 1])
        for number in 0..<1000 { log.append(samples.crossing(.in, "l\(number)"), pipeline: 0) }
        #expect(log.ledger(ofPipeline: 0).lines.lines.count == 8 * CrossingLine.most)
    }

    /// A subscriber learns the names of all zones and lines, and the totals of lines, before the first event.
    @Test mutating func helloHasTheZonesAndTheTotalsOfLines() throws {
        func hello(_ log: EventLog) throws -> String {
            let line = ConnectionLine.hello(log, server: "test", time: Moment.now.time)
            #expect(try EventSchema.violations(in: [Array(line.dropLast())]) == [])
            return String(decoding: line, as: UTF8.self)
        }
        #expect(try !hello(log).contains("zones") && !hello(log).contains(#""lines""#))
        var samples = SampleEvents()
        let places = PipelinePlaces(zones: ["de\"sk", "door"], lines: ["gate", "stairs"])
        log.addPipeline(samples.identity, places: places)
        log.append(samples.crossing(.in, "gate"), pipeline: 0)
        let expected =
            #""zones":["de\"sk","door"],"lines":[{"name":"gate","in":1,"out":0},{"name":"stairs","in":0,"out":0}]}]"#
        let received = try hello(log)
        #expect(received.contains(expected), "\(received)")
        // A reload that removes them, and the removal of the pipeline.
        log.addPipeline(samples.identity)
        #expect(try !hello(log).contains("zones"))
        log.addPipeline(samples.identity, places: places)
        log.removePipeline(0)
        #expect(try !hello(log).contains("zones"))
    }

    /// The limit holds for a faulty worker that puts any number of zones into a line.
    @Test mutating func aDeadWorkersTrackLeavesAtMostTheLimitOfZones() {
        var encoder = EventEncoder(pipeline: events.identity)
        var event = SampleEvents.trackEvent(.detected, id: 1, frame: 3)
        event.zones = (0..<2_000).map { "\($0)" }
        let isIn = append(encoder.encode(.track(event)))
        #expect(isIn)
        log.completeTracks(ofPipeline: 0, reason: .sourceLost)
        #expect(log.journal.count <= 1 + 1 + Zone.most + 1 && log.journal.count > Zone.most)
    }

    @Test mutating func theLogIsBoundedInNumberAndBytes() {
        var small = EventLog(limits: .init(events: 5, bytes: 1 << 20))
        small.addPipeline(events.identity)
        for frame in 1...50 as ClosedRange<UInt64> {
            small.append(events.track(frame == 1 ? .detected : .update, id: 1, frame: frame), pipeline: 0)
        }
        #expect(small.journal.firstSequence == 46 && small.journal.nextSequence == 51 && small.journal.count == 5)
        #expect(small.journal.evicted[.detected] == 1 && small.journal.evicted[.update] == 44)
        #expect((46...50).map { small.journal[$0].sequence } == [46, 47, 48, 49, 50])

        var few = EventLog(limits: .init(events: 1000, bytes: 2000))
        few.addPipeline(events.identity)
        for frame in 1...50 as ClosedRange<UInt64> {
            few.append(events.track(.update, id: 1, frame: frame), pipeline: 0)
        }
        #expect(few.journal.bytes <= 2000 && few.journal.count >= 1)
    }

    /// The supervisor's `completed` line equals the worker's line, byte for byte.
    @Test(arguments: FeatureKind.samples, [false, true])
    mutating func aDeadWorkersTracksEndLikeTheEncoderWouldEndThem(kind: FeatureKind, isMissing: Bool) throws {
        _ = append(events.track(.detected, kind, id: 3, frame: 4))
        _ = append(events.track(.update, kind, id: 3, frame: 4))
        if isMissing { _ = append(events.track(.missing, kind, id: 3, frame: 9)) }
        _ = append(events.track(.update, .object, id: 8, frame: 11))
        _ = append(events.track(.completed(.gone), .object, id: 8, frame: 11))
        log.completeTracks(ofPipeline: 0, reason: .sourceLost)

        var expected = SampleEvents.trackEvent(.completed(.sourceLost), kind, id: 3, frame: 4)
        let newest = SampleEvents.trackEvent(isMissing ? .missing : .update, kind, id: 3, frame: isMissing ? 9 : 4)
        expected.track.ageFrames = newest.track.ageFrames
        expected.track.hits = newest.track.hits
        expected.track.missingFrames = newest.track.missingFrames
        expected.track.lastSeen = newest.track.lastSeen
        expected.frame = SampleEvents.trackEvent(.update, id: 8, frame: 11).frame
        var encoder = EventEncoder(pipeline: events.identity)
        var line = encoder.encode(.track(expected))
        // The reads of the item are those of the last sighting.
        if kind == .barcode, isMissing {
            let text = String(decoding: line.body, as: UTF8.self)
            line.body = Array(text.split(separator: #""reads":9"#).joined(separator: #""reads":4"#).utf8)
        }
        let written = log.journal.event(log.journal.nextSequence - 1)
        #expect(String(decoding: written.body, as: UTF8.self) == String(decoding: line.body, as: UTF8.self))
        #expect(written.kind == .completed && written.detector == kind.rawValue && written.track == 3)
        #expect(log.ledger(ofPipeline: 0).liveTracks == 0)
    }

    /// A worker may die between a track's first two lines. The supervisor writes the second line, byte for byte.
    @Test(arguments: FeatureKind.samples)
    mutating func aLastDetectedLineOfADeadWorkerGetsItsUpdate(kind: FeatureKind) {
        _ = append(events.track(.detected, kind, id: 3, frame: 4))
        log.completeTracks(ofPipeline: 0, reason: .sourceLost)
        let written = (1..<log.journal.nextSequence).map { log.journal.event($0) }
        #expect(written.map(\.kind) == [.detected, .update, .completed])
        #expect(written[1] == events.track(.update, kind, id: 3, frame: 4))
    }

    @Test mutating func aDeadWorkersTracksEndByDetectorAndID() throws {
        for id in [12, 2, 7] as [UInt64] {
            for kind in [.face, .barcode] as [FeatureKind] {
                _ = append(events.track(.detected, kind, id: id))
                _ = append(events.track(.update, kind, id: id))
            }
        }
        log.completeTracks(ofPipeline: 0, reason: .shutdown)
        let completed = try (13...18).map { try StreamLine(log.journal.line($0)) }
        #expect(
            completed.map { "\($0.kind!) \($0.track!.id)" } == [
                "barcode 2", "barcode 7", "barcode 12", "face 2", "face 7", "face 12",
            ])
        #expect(completed.allSatisfy { $0.reason == "shutdown" && $0.type == "completed" })
        #expect(log.nextTrack(ofPipeline: 0) == 13)
    }

    @Test mutating func theHelloLineHasStateAndDetectorsOfEachPipeline() throws {
        log.addPipeline(PipelineIdentity(name: "porch"))
        _ = append(events.source(.connected))
        _ = append(events.detector("face", operational: false, reason: "no \"model\""))
        _ = append(events.detector("barcode", operational: true))
        let hello = try StreamLine(ConnectionLine.hello(log, server: "glimpsed 0", time: .epoch).dropLast())
        #expect(hello.type == "hello" && hello.next_seq == 4)
        #expect(hello.pipelines?.map(\.name) == ["door", "porch"])
        #expect(hello.pipelines?.map(\.state) == ["connected", "connecting"])
        #expect(hello.pipelines?[0].detectors.map(\.name) == ["barcode", "face"])
        #expect(hello.text.contains(#"{"name":"face","kind":"face","operational":false,"reason":"no \"model\""}"#))
        #expect(hello.text.contains(#""journal":{"first":1,"last":3}"#))
    }

    /// This prevents two frames of pipelines of this name from having equal numbers.
    @Test mutating func startsOfARemovedPipelineContinueWhenItReturns() {
        let index = log.addPipeline(PipelineIdentity(name: "porch"))
        for _ in 1...3 { log.startPipeline(index) }
        #expect(log.epochs(ofPipeline: index) == 0)
        log.removePipeline(index)
        #expect(log.addPipeline(PipelineIdentity(name: "porch")) == index)
        #expect(log.epochs(ofPipeline: index) == 3)
        log.startPipeline(index)
        log.removePipeline(index)
        #expect(log.epochs(ofPipeline: index) == 4)
    }

    @Test mutating func aStateOverOneLinesLengthComesInSeveral() throws {
        let text = String(repeating: "A", count: 2000)
        for id in 1...100 as ClosedRange<UInt64> { _ = append(events.track(.update, .barcode, id: id, text: text)) }
        let bytes = ConnectionLine.state(log, time: .epoch)
        let lines = try bytes.split(separator: UInt8(ascii: "\n")).map { try StreamLine(Array($0)) }
        #expect(lines.count > 1)
        #expect(lines.allSatisfy { $0.text.utf8.count < 65_536 && $0.as_of == 100 })
        #expect(lines.map { $0.more ?? false } == Array(repeating: true, count: lines.count - 1) + [false])
        #expect(lines.flatMap { $0.tracks!.map(\.track.id) } == (1...100).map(String.init))
    }

    @Test mutating func aWorkerWithEndlessTracksCostsBoundedMemory() {
        for id in 1...6000 as ClosedRange<UInt64> { _ = append(events.track(.detected, id: id)) }
        #expect(log.ledger(ofPipeline: 0).liveTracks == 4096)
        #expect(log.journal.nextSequence == 6001)
    }

    @Test(arguments: [
        Int64(0), 1, 33_333_333, 951_782_400_000_000_000, 1_709_251_199_999_999_999, -1, 1_795_000_000_123_456_789,
    ])
    func printedTimesOfLinesReadBackEqual(nanoseconds: Int64) {
        let time = Timestamp(nanoseconds: nanoseconds)
        #expect(Timestamp(rfc3339: time.rfc3339) == time)
    }

    @Test(arguments: [
        "", "1970-01-01T00:00:00Z", "1970-13-01T00:00:00.000000000Z", "1970-01-01T00:00:0x.000000000Z",
        "9999-12-31T23:59:59.999999999Z",
    ])
    func malformedTimesOfLinesAreRefused(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    /// Damaged lines may give wrong values, but never a trap.
    @Test mutating func membersOfDamagedLinesAreTheirBytes() throws {
        var random = SeededRandom(seed: 11)
        let body = events.track(.completed(.gone), .barcode, id: 1).body
        var (readable, completed) = (0, 0)
        func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        for _ in Fuzz.rounds(5000) {
            var damaged = body
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                damaged[damaged.indices.randomElement(using: &random)!] =
                    [0x22, 0x5C, 0x7B, 0x7D, 0x2C, 0x3A, 0x5B, 0x5D, 0x41].randomElement(using: &random)!
            }
            let event = EncodedEvent(kind: .update, detector: "barcode", feature: .barcode, track: 1, body: damaged)
            guard let members = JSONMembers(damaged[...]) else { continue }
            readable += 1
            let text = members.members.map { "\"\(string($0.key))\":\(string($0.value))" }.joined(separator: ",")
            #expect(text + "}" == string(damaged[...]))
            guard let line = CompletedLine.event(sighting: event, newest: event, frame: event, reason: .gone) else {
                continue
            }
            completed += 1
            let own = try #require(JSONMembers(line.body[...]))
            #expect(own.text("type") == "completed" && own.text("reason") == "gone")
            #expect(own["track"] == members["track"])
        }
        #expect(readable > 0 && completed > 0)
    }
}
