// SPDX-License-Identifier: Apache-2.0
@testable import EventLines
import GlimpseTesting
import Observations
import Testing

@Suite struct SchemaTests {
    private static let phases: [TrackPhase] = [
        .detected, .update, .missing, .completed(.gone), .completed(.sourceLost),
    ]

    @Test func everyLineTypeFollowsTheSchema() throws {
        var events = SampleEvents(pipeline: "door", tags: ["site": "north", "odd \"key\"": "\u{1}"])
        var lines: [EncodedEvent] = []
        for kind in FeatureKind.samples {
            for phase in Self.phases { lines.append(events.track(phase, kind, id: 3, frame: 2)) }
        }
        for state in SourceEvent.State.allCases {
            lines.append(events.source(state, error: state == .lost ? "gone" : nil))
        }
        for phase in Self.phases {
            lines.append(events.track(phase, .barcode, id: 3, text: String(repeating: "a", count: 100_000)))
        }
        for (changed, error) in [(["door"], nil), ([], "door did not work"), (nil, "c.toml:3: \"x\"")]
            as [([String]?, String?)]
        {
            lines.append(ConfigEvent(time: .epoch, revision: 2, changed: changed, error: error).encoded)
        }
        for phase in Self.phases { lines.append(located(phase)) }
        lines += events.zoneLines(id: 3)
        var totals = LineTotals()
        for direction in CrossingLine.Direction.allCases {
            let crossing = events.crossing(direction, "do\"or")
            lines += [crossing, totals.count(crossing)]
        }
        lines.append(events.detector("face", operational: true))
        lines.append(events.detector("object", operational: false, reason: "no model"))
        let all =
            lines.map(\.line) + lines.enumerated().map { $0.element.line(sequence: UInt64($0.offset) + 1, runID: "r1") }
        let violations = try EventSchema.violations(in: all)
        #expect(violations == [])
    }

    /// A symbol that was not read, and a symbol that is followed.
    private func located(_ phase: TrackPhase) -> EncodedEvent {
        let box = Box(x: 10, y: 10, width: 40, height: 40)
        let corners = Quadrilateral(
            topLeft: Point(x: 10, y: 10), topRight: Point(x: 50, y: 10), bottomRight: Point(x: 50, y: 50),
            bottomLeft: Point(x: 10, y: 50))
        let isMissing = phase == .missing
        let track = Track(
            id: TrackID(4), kind: .barcode, ageFrames: 2, hits: 1, missingFrames: isMissing ? 1 : 0, firstSeen: .epoch,
            lastSeen: .epoch, box: box, isPredicted: isMissing, velocity: nil,
            detection: Detection(
                box: box, confidence: 0.5,
                content: .barcode(Barcode(format: nil, raw: nil, bytes: [], corners: corners))))
        let frame = FrameInfo(
            sequence: 1, presentationTime: 0, time: .epoch, clock: .file, width: 640, height: 360)
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "door"))
        return encoder.encode(
            .track(TrackEvent(phase: phase, detector: "barcode", frame: frame, track: track, count: 1)))
    }

    /// The schema must be able to reject a line.
    @Test func theSchemaRejectsWrongLines() throws {
        let edits = [
            (#""v":1"#, #""v":2"#), (#""x":102.5"#, #""x":"102.5""#), (#""w":80"#, #""w":0"#),
            (#""id":"3""#, #""id":3"#),
            (#""track":{"#, #""trick":{"#), (#""seq":2"#, #""seq":0"#), (#""confidence":0.875"#, #""confidence":1.5"#),
            (#""time":"1970-01-01T00"#, #""time":"1970-01-01 00"#), (#""missing_frames":0"#, #""missing_frames":1"#),
            (#""face":{"#, #""phase":{"#), (#""count":2"#, #""count":null"#),
            (#""mirrored":false"#, #""mirrored":NaN"#),
        ]
        var events = SampleEvents()
        let line = String(decoding: events.track(.update, .face, id: 3, frame: 2).line, as: UTF8.self)
        let wrong = edits.map { line.replacing($0.0, with: $0.1) }
        let violations = try EventSchema.violations(in: wrong.map { Array($0.utf8) })
        for (index, edit) in edits.enumerated() {
            #expect(line.contains(edit.0))
            #expect(violations.contains { $0.hasPrefix("line \(index + 1):") }, "\(edit.1)")
        }
    }

    @Test func theSchemaAllowsAnUnknownMember() throws {
        let lines = [
            #"{"v":1,"type":"weather","time":"1970-01-01T00:00:00.000000000Z","clock":"ptp","new":{}}"#,
            #"{"v":1,"type":"ping","time":"1970-01-01T00:00:00.000000000Z","clock":"arrival"}"#,
            #"{"v":1,"type":"config","time":"1970-01-01T00:00:00.000000000Z","clock":"arrival","revision":2,"changed":["a"]}"#,
        ]
        #expect(try EventSchema.violations(in: lines.map { Array($0.utf8) }) == [])
    }
}
