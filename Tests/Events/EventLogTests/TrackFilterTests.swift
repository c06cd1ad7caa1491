// SPDX-License-Identifier: Apache-2.0
@testable import EventLines
@testable import EventLog
import GlimpseTesting
import Observations
import Testing

/// The conditions on tracks: the tracks that a subscriber receives, and their first lines.
@Suite struct TrackFilterTests {
    private static func steps(_ lines: [StreamLine]) -> [String] { lines.map { "\($0.type) \($0.track?.id ?? "")" } }

    @Test(
        arguments: [
            (#"{"min_confidence":0.5}"#, ["1", "3", "4", "5", "6"]),
            (#"{"min_confidence":0.51}"#, ["1", "4", "5", "6"]),
            (#"{"min_confidence":0}"#, ["1", "2", "3", "4", "5", "6"]), (#"{"min_confidence":1}"#, ["4", "5", "6"]),
            (#"{"labels":["cup"]}"#, ["3"]), (#"{"labels":["cu","mug","cup"]}"#, ["3"]), (#"{"labels":["cu"]}"#, []),
            (#"{"labels":[]}"#, []), (#"{"value_regex":"^https:"}"#, ["4"]),
            (#"{"value_regex":"."}"#, ["4", "5", "6"]),
            (#"{"value_regex":"^say \"é\"$"}"#, ["5"]), (#"{"value_regex":"^$"}"#, []),
            (#"{"value_regex":"http","labels":["cup"]}"#, []), (#"{"value_regex":"http","min_confidence":1}"#, ["4"]),
            (#"{"min_confidence":0.5,"kinds":["face"]}"#, ["1"]), (#"{"kinds":["plate"]}"#, ["6"]),
            (#"{"value_regex":"^AB "}"#, ["6"]), (#"{"kinds":["plates"]}"#, []),
            (#"{"stages":false}"#, ["1", "2", "3", "4", "5", "6"]),
            (#"{"stages":true}"#, ["1", "2", "3", "4", "5", "6"]),
        ] as [(String, [String])])
    func conditionsOfATrackFilterChooseTracks(filter: String, tracks: [String]) {
        var bench = SubscriberBench()
        func all(_ phase: TrackPhase) {
            bench.append(phase, id: 1, confidence: 0.9)
            bench.append(phase, id: 2, confidence: 0.2)
            bench.append(phase, id: 3, kind: .object, confidence: 0.5, text: "cup")
            bench.append(phase, id: 4, kind: .barcode, confidence: nil, text: "https://glimpse.example/\\")
            bench.append(phase, id: 5, kind: .barcode, confidence: nil, text: "say \"é\"")
            bench.append(phase, id: 6, kind: .plate, confidence: nil, text: "AB 123")
        }
        for phase in [.detected, .update, .missing, .update, .completed(.gone)] as [TrackPhase] { all(phase) }
        let lines = bench.joined(#"{"subscribe":\#(filter),"after":0}"#).lines
        let expected = ["detected", "update", "missing", "update", "completed"].flatMap { type in
            tracks.map { "\(type) \($0)" }
        }
        #expect(Self.steps(lines) == expected)
    }

    @Test func aTrackPassesTheFilterFromItsFirstPassingLineToItsEnd() {
        var bench = SubscriberBench()
        _ = bench.connect()
        _ = bench.request(#"{"subscribe":{"min_confidence":0.5}}"#)
        bench.append(.detected, id: 1, confidence: 0.3)
        bench.append(.update, id: 1, confidence: 0.3)
        bench.append(.missing, id: 1, confidence: 0.9)
        bench.append(.update, id: 1, confidence: 0.6)
        bench.append(.update, id: 1, confidence: 0.1)
        bench.append(.missing, id: 1)
        bench.append(.completed(.gone), id: 1)
        bench.append(.completed(.gone), id: 2)
        #expect(bench.read().map(\.seq) == [4, 5, 6, 7])
        #expect(bench.subscriber.gate?.tracks == 0)
    }

    @Test func typesOfATrackFilterChooseAmongLinesOfPassingTracks() {
        var bench = SubscriberBench()
        _ = bench.connect()
        _ = bench.request(#"{"subscribe":{"min_confidence":0.5,"types":["completed"]}}"#)
        for id in [1, 2] as [UInt64] {
            bench.append(.detected, id: id, confidence: id == 1 ? 0.9 : 0.1)
            bench.append(.completed(.gone), id: id)
        }
        #expect(bench.read().map(\.seq) == [2])
    }

    @Test func aTrackFilterPassesOtherLinesAndSurvivesAnError() {
        var bench = SubscriberBench()
        _ = bench.connect()
        _ = bench.request(#"{"subscribe":{"labels":["cup"]}}"#)
        #expect(bench.request(#"{"subscribe":{"value_regex":"("}}"#).map(\.type) == ["error"])
        bench.append(.detected, id: 1)
        bench.log.append(SourceEvent(state: .stalled, time: .epoch, clock: .file), pipeline: 0)
        #expect(bench.read().map(\.type) == ["source"])
    }

    /// The state line shows the tracks that pass the filter.
    @Test func stateAndStreamAgreeUnderATrackFilter() {
        var bench = SubscriberBench()
        bench.append(.detected, id: 1, confidence: 0.9)
        bench.append(.update, id: 1, confidence: 0.2)
        bench.append(.detected, id: 2, confidence: 0.2)
        bench.append(.detected, id: 3, confidence: 0.9)
        bench.append(.missing, id: 3)
        var (other, lines) = bench.joined(#"{"subscribe":{"min_confidence":0.5},"state":true}"#)
        #expect(lines.map(\.type) == ["state"] && lines[0].tracks?.map(\.track.id) == ["1", "3"])
        for id in 1...3 as ClosedRange<UInt64> { other.append(.completed(.gone), id: id) }
        #expect(Self.steps(other.read()) == ["completed 1", "completed 3"])
    }

    @Test func theFilterForgetsTracksThatEndedInAGap() {
        var bench = SubscriberBench(journal: 1500)
        _ = bench.connect()
        _ = bench.request(#"{"subscribe":{"min_confidence":0.5}}"#)
        for id in 1...1200 as ClosedRange<UInt64> { bench.append(.detected, id: id) }
        _ = bench.read()
        for id in 1...1000 as ClosedRange<UInt64> { bench.append(.completed(.gone), id: id) }
        bench.updates(1500, id: 1200)
        #expect(bench.read().first?.type == "gap")
        // 1001...1200 are alive.
        #expect(bench.subscriber.gate?.tracks == 200)
    }

    /// Tracks that have been in a zone, and their zone lines.
    @Test func zonesOfATrackFilterChooseTracks() throws {
        var bench = SubscriberBench()
        _ = bench.connect()
        #expect(bench.request(#"{"subscribe":{"zones":["desk","shelf"]}}"#).isEmpty)
        bench.append(.detected, id: 1)
        bench.append(.update, id: 1, zones: ["door"])
        bench.append(zone: "door", id: 1)
        bench.append(.update, id: 1, zones: ["door", "desk"])
        bench.append(zone: "desk", id: 1)
        bench.append(.missing, id: 1)
        bench.append(zone: "door", id: 2)
        bench.append(.completed(.gone), id: 1)
        bench.append(.detected, id: 3, zones: ["d\"esk"])
        // The zone's three lines: entered, dwelling, left.
        #expect(bench.read().map(\.type) == ["update", "zone", "zone", "zone", "missing", "completed"])
    }

    @Test func linesOfAFilterChooseCrossings() throws {
        var bench = SubscriberBench()
        _ = bench.connect()
        #expect(bench.request(#"{"subscribe":{"lines":["gate"]}}"#).isEmpty)
        bench.append(.detected, id: 1)
        bench.append(crossing: .in, of: "door", id: 1)
        bench.append(crossing: .in, of: "gate", id: 1)
        bench.append(.update, id: 1)
        bench.append(crossing: .out, of: "gate", id: 1)
        let lines = bench.read()
        #expect(lines.map(\.type) == ["detected", "line", "update", "line"])
        #expect(lines.compactMap(\.line) == ["gate", "gate"] && lines.compactMap(\.in) == [1, 1])
        #expect(lines.compactMap(\.out) == [0, 1])
    }

    /// Zone lines concern tracks. A subscriber of other types does not receive zone lines.
    @Test func zoneLinesPassTheFilterWithTheirTracks() {
        var bench = SubscriberBench()
        _ = bench.connect()
        _ = bench.request(#"{"subscribe":{"min_confidence":0.5,"types":["zone"]}}"#)
        for id in [1, 2] as [UInt64] {
            bench.append(.detected, id: id, confidence: id == 1 ? 0.9 : 0.1, zones: ["desk"])
            bench.append(zone: "desk", id: id)
        }
        #expect(bench.read().map { "\($0.type) \($0.track?.id ?? "")" } == ["zone 1", "zone 1", "zone 1"])
        #expect(bench.subscriber.wantsTracks(ofPipeline: 0, kinds: [.face], bench.log))
    }

    // MARK: Rates

    @Test func updatesAreThinnedByFrameTime() {
        var bench = SubscriberBench()
        _ = bench.connect()
        _ = bench.request(#"{"subscribe":{"update_hz":10}}"#)
        bench.append(.detected, id: 1)
        bench.updates(12)
        bench.append(.missing, id: 1)
        bench.updates(3)
        bench.append(.completed(.gone), id: 1)
        #expect(
            bench.read().map { "\($0.type) \($0.seq!) \($0.coalesced ?? 0)" } == [
                "detected 1 0", "update 2 0", "update 6 3", "update 9 2", "update 12 2", "missing 14 1", "update 15 0",
                "completed 18 0",
            ])
    }

    @Test func missingLinesAreThinnedAndTheFirstOfARowComesAtOnce() {
        var bench = SubscriberBench()
        _ = bench.connect()
        _ = bench.request(#"{"subscribe":{"update_hz":10}}"#)
        bench.append(.detected, id: 1)
        bench.updates(2)
        for _ in 0..<8 { bench.append(.missing, id: 1) }
        bench.updates(2)
        for _ in 0..<8 { bench.append(.missing, id: 1) }
        bench.append(.completed(.gone), id: 1)
        #expect(
            bench.read().map { "\($0.type) \($0.seq!) \($0.coalesced ?? 0)" } == [
                "detected 1 0", "update 2 0", "missing 4 1", "missing 8 3", "missing 11 2", "update 12 0",
                "missing 14 1", "missing 18 3", "missing 21 2", "completed 22 0",
            ])
    }

    @Test(arguments: [(0.001, 1), (1, 10), (7.5, 75), (29, 290), (30, 300), (1000, 300), (1e300, 300)])
    func theUpdateRateHoldsOnAverage(rate: Double, updates: Int) {
        var bench = SubscriberBench()
        bench.updates(300)
        let lines = bench.joined(#"{"subscribe":{"update_hz":\#(rate)},"after":0}"#).lines
        #expect(abs(lines.count - updates) <= 1)
        let left = lines.reduce(0) { $0 + 1 + Int($1.coalesced ?? 0) }
        #expect(left <= 300 && 300 - left < 300 / max(updates, 1) + 1)
    }

    @Test func eachTrackHasItsOwnUpdateRate() {
        var bench = SubscriberBench()
        for _ in 0..<30 { for id in 1...3 as ClosedRange<UInt64> { bench.updates(1, id: id) } }
        let lines = bench.joined(#"{"subscribe":{"update_hz":2},"after":0}"#).lines
        #expect(Dictionary(grouping: lines, by: \.track!.id).mapValues(\.count) == ["1": 6, "2": 6, "3": 6])
    }

    @Test func aSlowSubscriberOfAThinnedStreamReceivesBothCounts() {
        var bench = SubscriberBench(queue: 2000)
        _ = bench.connect()
        _ = bench.request(#"{"subscribe":{"update_hz":10}}"#)
        bench.append(.detected, id: 1)
        bench.updates(13)
        #expect(bench.read().map { "\($0.type) \($0.seq!) \($0.coalesced ?? 0)" } == ["detected 1 0", "update 12 10"])
    }
}
