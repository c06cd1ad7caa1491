// SPDX-License-Identifier: Apache-2.0
@testable import EventLines
@testable import EventLog
import GlimpseTesting
import Observations
import Testing

/// Subscribers that ask for stages get the times of each frame. The lines of other subscribers do not change.
@Suite struct StageTimesTests {
    private let stages = StageTimes(decode: 5, wait: 1, detect: 2, track: 3, emit: 4)
    private let told: [String: UInt32] = ["decode": 5, "wait": 1, "detect": 2, "track": 3, "emit": 4]

    private func tell(_ bench: inout SubscriberBench) {
        bench.append(.detected, id: 1, stages: stages)
        bench.append(.update, id: 1, stages: stages)
        bench.append(.missing, id: 1, stages: StageTimes(wait: 1, detect: 2, track: 3))
        bench.append(.completed(.gone), id: 1)
    }

    @Test func onlySubscribersThatRequestStageTimesReceiveThem() {
        var bench = SubscriberBench()
        _ = bench.connect()
        #expect(bench.request(#"{"subscribe":{"stages":true}}"#).isEmpty)
        let other = bench.joined(#"{"subscribe":{}}"#).bench
        var (asks, everybody) = (bench, other)
        tell(&asks)
        tell(&everybody)
        let lines = asks.read()
        #expect(lines.map(\.stages_us) == [told, told, ["wait": 1, "detect": 2, "track": 3, "emit": 0], nil])
        #expect(lines.map(\.seq) == [1, 2, 3, 4])
        #expect(lines[0].text.hasSuffix(#","stages_us":{"decode":5,"wait":1,"detect":2,"track":3,"emit":4}}"#))
        #expect(everybody.writes() == [.sendRecords(1..<5)])
        // After the request ends, the subscriber receives the ordinary lines again.
        #expect(asks.request(#"{"subscribe":{}}"#).isEmpty)
        asks.append(.update, id: 2, stages: stages)
        #expect(asks.writes() == [.sendRecords(5..<6)])
    }

    /// The newest update has the stage times of its own frame.
    @Test func aSlowSubscriberReceivesStageTimesToo() {
        var bench = SubscriberBench(queue: 1000)
        _ = bench.connect()
        #expect(bench.request(#"{"subscribe":{"stages":true}}"#).isEmpty)
        for wait in 1...20 { bench.append(.update, id: 1, stages: StageTimes(wait: UInt32(wait), detect: 2, track: 3)) }
        let lines = bench.read()
        #expect(lines.map(\.coalesced) == [19] && lines.map { $0.stages_us?["wait"] } == [20])
    }

    @Test func stageTimesAreWholeMicroseconds() {
        #expect(StageTimes.microseconds(.nanoseconds(1999)) == 1)
        #expect(StageTimes.microseconds(.seconds(100_000)) == .max)
        #expect(StageTimes.microseconds(.seconds(-1)) == 0)
    }
}
