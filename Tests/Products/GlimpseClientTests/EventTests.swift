// SPDX-License-Identifier: Apache-2.0
import EventLines
import Foundation
import GlimpseTesting
import JSONLines
import Observations
import Search
import Testing

import GlimpseClient

/// Every line that the daemon can write has a typed value, and what it cannot write yet does no harm.
@Suite struct EventTests {
    private func event(_ line: [UInt8]) throws -> GlimpseClient.Event {
        let event = GlimpseClient.Event(line: line.last == 10 ? Array(line.dropLast()) : line)
        return try #require(event)
    }

    private func event(_ text: String) throws -> GlimpseClient.Event { try event(Array(text.utf8)) }

    @Test(arguments: FeatureKind.samples) func trackEventsHaveTypedValues(kind: FeatureKind) throws {
        var samples = SampleEvents(tags: ["site": "north"])
        for phase: TrackPhase in [.detected, .update, .missing, .completed(.gone)] {
            let encoded = samples.track(phase, kind, id: 7, frame: 3)
            let event = try event(encoded.line(sequence: 42, runID: "r"))
            guard case .track(let track) = event.content else {
                Issue.record("\(event.content)")
                return
            }
            #expect(track.phase.rawValue == encoded.kind.name)
            #expect(event.position == Position(runID: "r", sequence: 42))
            #expect(event.pipeline == "door" && event.tags == ["site": "north"] && event.clock == "file")
            #expect(event.time?.nanosecondsSince1970 == 99_999_999)
            #expect(track.kind == kind.rawValue && track.id == "7" && track.hasFocus && track.count == 2)
            #expect(track.frame.sequence == 3 && track.frame.presentationTime == 99_999_999)
            #expect(track.frame.rotation == 0 && track.frame.isMirrored == false)
            #expect(track.box != nil && track.normalizedBox != nil)
            #expect((track.reason == "gone") == (track.phase == .completed))
            switch kind {
            case .face: #expect((track.face?.landmarks?["left_eye"]?.x == 120) == (track.phase != .missing))
            case .barcode:
                #expect(track.barcode?.raw == "4006381333931" && track.barcode?.valueFormat == "product")
                #expect(track.barcode?.rawBase64 == "NDAwNjM4MTMzMzkzMQ==" && track.barcode?.addOn == "02")
            case .object: #expect(track.object?.labels.first?.text == "cup \"1\"")
            case .scene: #expect(track.scene?.labels.first?.index == 41)
            case .custom:
                #expect(track.attributes?["colour"]?.text == "red \"1\"" && track.value == "4006381333931")
            }
        }
    }

    @Test func stageTimesHaveTypedValues() throws {
        var samples = SampleEvents()
        var encoded = samples.track(.update, .face, id: 7)
        encoded.header.stages = StageTimes(wait: 1, detect: 2, track: 3, emit: 4)
        guard case .track(let track) = try event(encoded.line).content else { return }
        #expect(track.stages?.decode == nil && track.stages?.wait == 1 && track.stages?.emit == 4)
    }

    @Test func zoneEventsHaveTypedValues() throws {
        var samples = SampleEvents()
        let changes = try samples.zoneLines("desk", id: 7, frame: 3).map { line in
            guard case .zone(let change) = try event(line.line).content else { throw CancellationError() }
            return change
        }
        #expect(changes.map(\.state) == ["entered", "dwelling", "left"])
        #expect(changes.map(\.dwellMilliseconds) == [nil, 2500, 3000])
        #expect(
            changes.allSatisfy { $0.zone == "desk" && $0.id == "7" && $0.kind == "face" && $0.frame.sequence == 3 })
    }

    @Test func crossingsHaveTypedValues() throws {
        var samples = SampleEvents()
        var totals = LineTotals()
        _ = totals.count(samples.crossing(.out, id: 6))
        let line = totals.count(samples.crossing(.in, id: 7, frame: 3)).line
        guard case .line(let crossing) = try event(line).content else { throw CancellationError() }
        #expect(crossing.line == "door" && crossing.direction == "in" && crossing.id == "7" && crossing.kind == "face")
        #expect(crossing.totalIn == 1 && crossing.totalOut == 1 && crossing.frame.sequence == 3)
    }

    @Test func barcodeValuesHaveTypedValues() throws {
        var samples = SampleEvents()
        let line = String(decoding: samples.track(.update, .barcode, id: 1).line, as: UTF8.self)
        let wifi = #""value_format":"wifi","wifi":{"ssid":"guests"}"#
        let typed = line.replacingOccurrences(of: #""value_format":"product""#, with: wifi)
        guard case .track(let track) = try event(typed).content else { return }
        #expect(track.barcode?.valueFormat == "wifi")
        #expect(track.barcode?.value?["ssid"]?.text == "guests")
    }

    /// A payload that stands in `last` alone, because the line would be too long.
    @Test func aLongCompletedEventKeepsItsPayload() throws {
        var samples = SampleEvents()
        let text = String(repeating: "x", count: 12_000)
        guard
            case .track(let track) = try event(samples.track(.completed(.gone), .barcode, id: 1, text: text).line)
                .content
        else { return }
        let isWhole = track.barcode?.raw == text
        #expect(isWhole)
    }

    @Test func sourceAndDetectorEventsHaveTypedValues() throws {
        var samples = SampleEvents()
        guard case .source(let source) = try event(samples.source(.lost, error: "gone").line).content,
            case .detector(let detector) = try event(
                samples.detector("face", operational: false, reason: "no model").line
            ).content
        else {
            Issue.record("not what they are")
            return
        }
        #expect(source.state == "lost" && source.error == "gone")
        let paused = #"{"type":"source","state":"paused","reason":"on_demand"}"#
        if case .source(let source) = try event(paused).content { #expect(source.reason == "on_demand") }
        #expect(!detector.operational && detector.reason == "no model" && detector.detector == "face")
    }

    @Test func searchEventsHaveTypedValues() throws {
        var status = SearchStatus(
            state: .searched, frame: SampleEvents.trackEvent(.update, id: 1, frame: 2).frame)
        status.track = TrackID(7)
        status.detection = SampleEvents.trackEvent(.update, .object, id: 7, frame: 2).track.detection
        (status.query, status.crop, status.hint) = ("1.1", "/c.jpg", .lowConfidence)
        status.help = "tel:1"
        status.outcome = .results([SearchResult(id: "a", title: "A", confidence: 0.75, picture: "/p", payload: "[1]")])
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "shelf"))
        let line = encoder.encode(.search(SearchEvent(detector: "object", kind: .object, status: status))).line
        guard case .search(let search) = try event(line).content else {
            Issue.record("not what it is")
            return
        }
        #expect(search.state == "searched" && search.id == "1.1" && search.track == "7" && search.crop == "/c.jpg")
        #expect(search.results.map(\.title) == ["A"] && search.results.first?.picture == "/p")
        #expect(
            search.outcome == "results" && search.hint?.code == "low_confidence" && search.hint?.help == "tel:1"
                && search.frame.sequence == 2)
        #expect(search.object?.labels.first?.index == 41 && search.box?.width == 80)
    }

    @Test func frameEventsHaveTypedValues() throws {
        var events = SampleEvents()
        let event = try event(events.frame(9, .object, count: 3, inView: 2, missing: 1).line(standingFor: 4))
        guard case .frame(let frame) = event.content else {
            Issue.record("\(event.content)")
            return
        }
        #expect(frame.detector == "object" && frame.kind == "object" && frame.frame.sequence == 9)
        #expect((frame.count, frame.inView, frame.missing) == (3, 2, 1) && frame.coalesced == 4)
        #expect(event.position == nil && event.pipeline == "door")
    }

    @Test func anEventOfAnUnknownTypeIsPassedOn() throws {
        let event = try event(#"{"v":1,"type":"hologram","seq":9,"run_id":"r","pipeline":"door","x":{"y":[1,null]}}"#)
        guard case .other("hologram") = event.content else {
            Issue.record("\(event.content)")
            return
        }
        #expect(event.position?.sequence == 9 && event.pipeline == "door")
        // A known type in a form of a later version.
        guard case .other("source") = try self.event(#"{"type":"source","state":{"new":1}}"#).content else {
            Issue.record("a source that is none")
            return
        }
        for text in ["[]", "", "{}", "null"] {
            let event = GlimpseClient.Event(line: Array(text.utf8))
            #expect(event == nil)
        }
    }

    /// Every example line of the event stream's documentation.
    @Test func exampleEventsOfTheDocumentationAreDecoded() throws {
        let lines = try ["events", "track-lines"].flatMap { page in
            try String(contentsOfFile: "\(Checkout.root)/docs/reference/\(page).md", encoding: .utf8)
                .components(separatedBy: "\n").filter { $0.hasPrefix("{\"v\":1") }
        }
        #expect(!lines.isEmpty)
        for line in lines {
            if case .other(let type) = try event(line).content { #expect(type == "explain", "\(line)") }
        }
    }

    /// Damaged lines are refused or read, and never more than that.
    /// A damaged line that is an event keeps its bytes; others are nil.
    @Test func damagedEventLinesKeepTheirBytes() {
        var samples = SampleEvents()
        var random = SeededRandom(seed: 3)
        var readable = 0
        let lines = FeatureKind.samples.map { Array(samples.track(.completed(.gone), $0, id: 3).line.dropLast()) }
        for _ in Fuzz.rounds(400) {
            var line = lines.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let place = Int.random(in: 0..<line.count, using: &random)
                line[place] = UInt8.random(in: 0...255, using: &random)
            }
            let event = GlimpseClient.Event(line: line)
            readable += event == nil ? 0 : 1
            #expect(event == nil || event?.json == line)
        }
        #expect(readable > 0)
    }

    @Test func timesOfEventsAreNanoseconds() throws {
        for nanoseconds: Int64 in [0, 1, 1_785_432_000_123_456_789, 951_782_400_000_000_000, 4_107_542_399_999_999_999]
        {
            let text = Observations.Timestamp(nanoseconds: nanoseconds).rfc3339
            #expect(try event(#"{"type":"ping","time":"\#(text)"}"#).time?.nanosecondsSince1970 == nanoseconds)
        }
        #expect(
            try event(#"{"type":"ping","time":"9999-12-31T23:59:59.999999999Z"}"#).time?.nanosecondsSince1970 == nil)
        #expect(try event(#"{"type":"ping","time":"yesterday"}"#).time?.nanosecondsSince1970 == nil)
    }
}
