// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Search
import Testing

@testable import EventLines
@testable import EventLog

/// A late reader receives the live searches. The supervisor ends the search of a lost worker.
@Suite struct LiveSearchStateTests {
    private var events = SampleEvents(pipeline: "shelf", tags: ["site": "north"])
    private var log = EventLog(runID: "0123456789abcdef", limits: .init(events: 100, bytes: 1 << 20))
    private let limits = Subscriber.Limits(queue: 1 << 20, stall: .seconds(60), heartbeat: .seconds(60))

    init() { log.addPipeline(events.identity) }

    private mutating func append(_ event: EncodedEvent) {
        let isIn = log.append(event, pipeline: 0)
        #expect(isIn)
    }

    /// The `state` line of a subscriber that connects now.
    private func state(_ request: String? = nil) throws -> String {
        var reader = Subscriber(server: "test", limits: limits, at: .now)
        reader.connected(at: .now)
        var steps = Int.max
        var actions = reader.nextAnswers(log, at: .now, steps: &steps)
        if let request {
            reader.received(Array((request + "\n").utf8))
            actions = reader.nextAnswers(log, at: .now, steps: &steps)
        }
        guard case .send(let bytes) = try #require(actions.first) else { return "" }
        let lines = bytes.split(separator: 0x0A).map(Array.init)
        #expect(try EventSchema.violations(in: lines) == [])
        return String(decoding: try #require(lines.last), as: UTF8.self)
    }

    @Test mutating func theStateHasTheNewestLineOfALiveSearch() throws {
        #expect(try !state().contains("searches"))
        append(events.search(.detecting))
        append(events.search(.searched, frame: 9, query: "1.1", outcome: .noResults))
        let told = try state()
        let expected = #""searches":[{"pipeline":"shelf","tags":{"site":"north"},"time":"#
        #expect(told.contains(expected) && told.contains(#""state":"searched","search":"1.1""#), "\(told)")
        #expect(!told.contains("detecting"))
        // The filter selects searches as it selects tracks.
        #expect(try state(#"{"subscribe":{"types":["search"]},"state":true}"#).contains(expected))
        #expect(try !state(#"{"subscribe":{"kinds":["barcode"]},"state":true}"#).contains("searches"))
        #expect(try !state(#"{"subscribe":{"pipelines":["door"]},"state":true}"#).contains("searches"))
    }

    @Test mutating func theEndOfAWorkerEndsItsLiveSearch() throws {
        append(events.search(.searching, frame: 9, query: "1.1"))
        log.completeTracks(ofPipeline: 0, reason: .sourceLost)
        let end = try StreamLine(log.journal.line(2))
        #expect(log.journal.nextSequence == 3 && end.state == "not_started" && end.frame?.seq == 9)
        #expect(!end.text.contains("1.1") && end.text.contains(#""hint":{"code":"wait","#))
        #expect(try EventSchema.violations(in: [Array(end.text.utf8)]) == [])
        // A search that the worker has ended does not end twice. A new worker has no search.
        log.completeTracks(ofPipeline: 0, reason: .sourceLost)
        #expect(log.journal.nextSequence == 3)
        log.startPipeline(0)
        #expect(try !state().contains("searches"))
    }

    /// Many searches with much to say need more than one line.
    @Test mutating func aLongStateOfSearchesComesInSeveralLines() throws {
        let results = (0..<20).map {
            SearchResult(id: "\($0)", title: String(repeating: "x", count: 500), confidence: 1)
        }
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            var events = SampleEvents(pipeline: name)
            let index = log.addPipeline(events.identity)
            log.append(events.search(.searched, query: "1.1", outcome: .results(results)), pipeline: index)
        }
        let bytes = ConnectionLine.state(log, time: .epoch)
        let lines = bytes.split(separator: 0x0A).map(Array.init)
        #expect(lines.count > 1 && lines.allSatisfy { $0.count < EventEncoder.maximumLineBytes })
        #expect(try EventSchema.violations(in: lines) == [])
        let text = String(decoding: bytes, as: UTF8.self)
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            #expect(text.components(separatedBy: #""pipeline":"\#(name)""#).count == 2)
        }
    }
}
