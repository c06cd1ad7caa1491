// SPDX-License-Identifier: Apache-2.0
@testable import EventLines
@testable import EventLog
import GlimpseTesting
import Observations
import Testing

@Suite struct SubscriberTests {
    @Test func aNewSubscriberReceivesHelloAndStateAtOnceAndHeldEventsLater() {
        var bench = SubscriberBench()
        bench.append(.detected, id: 1)
        let first = bench.connect()
        #expect(first.map(\.type) == ["hello", "state"])
        #expect(first[0].next_seq == 2 && first[1].as_of == 1 && first[1].tracks?.map(\.track.id) == ["1"])
        bench.updates(3)
        #expect(bench.read().isEmpty)
        _ = bench.pass(.milliseconds(99))
        #expect(bench.read().isEmpty)
        _ = bench.pass(.milliseconds(1))
        #expect(bench.read().map(\.seq) == [2, 3, 4])
    }

    @Test func theFirstRequestOfASubscriberEndsTheHoldAndAppliesFromTheStart() {
        var bench = SubscriberBench()
        _ = bench.connect()
        bench.append(.detected, id: 1)
        bench.append(.detected, id: 2, kind: .barcode)
        #expect(bench.request(#"{"subscribe":{"kinds":["barcode"]}}"#).isEmpty)
        #expect(bench.read().map(\.seq) == [2])
    }

    @Test(
        arguments: [
            (#"{"types":["completed"]}"#, [3]), (#"{"kinds":["face"]}"#, [1, 3]),
            (#"{"pipelines":["d*"]}"#, [1, 2, 3]),
            (#"{"pipelines":["porch"]}"#, []), ("{}", [1, 2, 3]),
        ] as [(String, [UInt64])])
    func filtersOfASubscriberChooseLines(filter: String, sequences: [UInt64]) {
        var bench = SubscriberBench()
        _ = bench.connect()
        bench.append(.detected, id: 1)
        bench.append(.detected, id: 2, kind: .barcode)
        bench.append(.completed(.gone), id: 1)
        _ = bench.request(#"{"subscribe":\#(filter)}"#)
        #expect(bench.read().compactMap(\.seq) == sequences)
    }

    @Test func theAfterRequestResumesASubscriber() {
        var bench = SubscriberBench()
        bench.updates(9)
        _ = bench.connect()
        #expect(bench.request(#"{"after":6,"run_id":"run"}"#).isEmpty)
        bench.updates(1)
        #expect(bench.read().map(\.seq) == [7, 8, 9, 10])
        #expect(bench.request(#"{"after":8}"#).isEmpty)
        #expect(bench.read().map(\.seq) == [9, 10])
    }

    @Test func eventsThatTheLogDroppedAreAGap() {
        var bench = SubscriberBench(journal: 4)
        bench.append(.detected, id: 1)
        bench.updates(9)
        _ = bench.connect()
        let gap = bench.request(#"{"after":2}"#)
        #expect(gap.map(\.type) == ["gap"])
        #expect(gap[0].from == 3 && gap[0].to == 6 && gap[0].reason == "journal" && gap[0].lost == nil)
        #expect(bench.read().map(\.seq) == [7, 8, 9, 10])
        let whole = bench.request(#"{"after":0}"#)
        #expect(whole[0].from == 1 && whole[0].to == 6 && whole[0].lost == ["detected": 1, "update": 5])
    }

    @Test func resumingWithAnotherRunsNumberGivesAGapAndAllKeptEvents() {
        var bench = SubscriberBench()
        bench.updates(3)
        _ = bench.connect()
        let gap = bench.request(#"{"after":77,"run_id":"yesterday"}"#)
        #expect(gap.map(\.type) == ["gap"] && gap[0].reason == "other_run" && gap[0].from == nil)
        #expect(bench.read().map(\.seq) == [1, 2, 3])
    }

    @Test func resumingWithAFutureNumberIsAnErrorThenLive() {
        var bench = SubscriberBench()
        bench.updates(3)
        _ = bench.connect()
        let error = bench.request(#"{"after":4}"#)
        #expect(error.map(\.type) == ["error"] && error[0].reason == "after 4: the newest event is 3")
        bench.updates(1)
        #expect(bench.read().map(\.seq) == [4])
    }

    @Test func aSubscriberTooSlowForTheLogReceivesAnExactGap() {
        var bench = SubscriberBench(journal: 4)
        bench.append(.detected, id: 1)
        _ = bench.connect()
        _ = bench.pass(.milliseconds(100))
        bench.updates(1)
        #expect(bench.read().map(\.seq) == [2])
        bench.updates(5)
        bench.append(.completed(.gone), id: 1)
        bench.append(.detected, id: 2)
        let lines = bench.read()
        #expect(lines.map(\.type) == ["gap", "update", "update", "completed", "detected"])
        #expect(lines[0].from == 3 && lines[0].to == 5 && lines[0].lost == ["update": 3] && lines[0].reason == "slow")
    }

    @Test func aSubscriberFarBehindReceivesOnlyTheNewestOfARowOfUpdates() {
        var bench = SubscriberBench(queue: 3000)
        _ = bench.connect()
        _ = bench.pass(.milliseconds(100))
        bench.append(.detected, id: 1)
        for _ in 0..<5 {
            bench.updates(1, id: 1)
            bench.updates(1, id: 2)
        }
        bench.append(.missing, id: 1)
        bench.updates(2, id: 1)
        bench.append(.completed(.gone), id: 1)
        let lines = bench.read()
        #expect(
            lines.map { "\($0.type) \($0.track!.id) \($0.coalesced ?? 0)" } == [
                "detected 1 0", "update 1 4", "update 2 4", "missing 1 0", "update 1 1", "completed 1 0",
            ])
        #expect(lines.map(\.seq) == [1, 10, 11, 12, 14, 15])
    }

    @Test func aSubscriberThatKeepsUpLosesNoEventsWithAnyQueue() {
        var bench = SubscriberBench(queue: 0)
        _ = bench.connect()
        _ = bench.pass(.milliseconds(100))
        for sequence in 1...20 as ClosedRange<UInt64> {
            bench.updates(1)
            #expect(bench.read().map(\.seq) == [sequence])
        }
    }

    @Test func aHeartbeatIsSentToAnIdleSubscriber() {
        var bench = SubscriberBench()
        _ = bench.connect()
        #expect(bench.pass(.seconds(14)).isEmpty)
        #expect(bench.lines(bench.pass(.seconds(1))).map(\.type) == ["ping"])
        #expect(bench.pass(.seconds(14)).isEmpty)
        bench.updates(1)
        _ = bench.read()
        #expect(bench.pass(.seconds(14)).isEmpty)
        #expect(bench.lines(bench.pass(.seconds(1))).map(\.type) == ["ping"])
    }

    @Test func aSubscriberThatReadsNothingIsDisconnectedAndASlowSubscriberIsNot() {
        var bench = SubscriberBench()
        _ = bench.connect()
        for second in 1...200 as ClosedRange<UInt64> {
            #expect(bench.pass(.seconds(1), drained: second, isWaiting: true).isEmpty)
        }
        for _ in 1..<60 { #expect(bench.pass(.seconds(1), drained: 200, isWaiting: true).isEmpty) }
        #expect(
            bench.pass(.seconds(1), drained: 200, isWaiting: true) == [.close(reason: "read nothing for 60.0 seconds")])
        #expect(bench.pass(.seconds(1), drained: 200, isWaiting: true).isEmpty)
    }

    @Test func aSubscriberIsDisconnectedAfterMoreThanAHundredBadLinesInTenSeconds() {
        var bench = SubscriberBench()
        _ = bench.connect()
        for _ in 0..<100 { #expect(bench.request("{").map(\.reason) == ["invalid JSON"]) }
        _ = bench.pass(.seconds(10))
        for _ in 0..<100 { #expect(bench.request("{").count == 1) }
        let last = bench.answers("{\n{")
        #expect(last.last == .close(reason: "over 100 bad lines in 10.0 seconds"))
        #expect(last.count == 2)
    }

    @Test func anOverlongSubscriberLineIsOneErrorAndTheNextLineIsRead() {
        var bench = SubscriberBench()
        _ = bench.connect()
        let answers = bench.request(String(repeating: "x", count: 200_000) + "\n" + #"{"ping":"still here"}"#)
        #expect(answers.map(\.type) == ["error", "ping"])
        #expect(answers[0].reason == "the line is longer than 64 KiB" && answers[1].echo == "still here")
    }

    /// Bytes that the daemon reads and discards are work: they count as lines.
    @Test func aSubscriberLineWithoutEndEndsTheConnection() {
        var bench = SubscriberBench()
        _ = bench.connect()
        let limit = EventEncoder.maximumLineBytes - 1
        #expect(bench.answers(String(repeating: "x", count: 100 * limit + 1)).count == 1)
        _ = bench.pass(.seconds(10))
        let actions = bench.answers(String(repeating: "x", count: 101 * limit + 1))
        #expect(actions.count == 3 && actions.last == .close(reason: "over 100 bad lines in 10.0 seconds"))
    }

    /// 65,536 bytes with their newline are the longest line, and the echo's own members are about 90.
    @Test func noAnswerToASubscriberIsTooLong() {
        var bench = SubscriberBench()
        _ = bench.connect()
        for (length, type) in [(65_000, "ping"), (65_500, "error")] {
            let answers = bench.request(#"{"ping":"\#(String(repeating: "x", count: length))"}"#)
            #expect(answers.map(\.type) == [type] && (answers[0].text.utf8.count < 65_536))
        }
    }

    /// A reader that stalls and resumes at random: nothing out of order, nothing twice, nothing silently lost.
    @Test(arguments: Fuzz.seeds(40))
    func aSubscriberWithRandomStallsLosesNoEventSilently(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bench = SubscriberBench(
            queue: [0, 2000, 20_000, 1 << 20].randomElement(using: &random)!,
            journal: [8, 100, 2000].randomElement(using: &random)!)
        _ = bench.connect()
        _ = bench.pass(.milliseconds(100))
        var received: [StreamLine] = []
        for _ in 0..<300 {
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let phase: TrackPhase = [.update, .update, .update, .missing, .detected, .completed(.gone)]
                    .randomElement(using: &random)!
                bench.append(phase, id: UInt64.random(in: 1...3, using: &random))
            }
            if Int.random(in: 0..<10, using: &random) == 0 { received += bench.read() }
        }
        received += bench.read()

        var next: UInt64 = 1
        var accounted = EventCounts()
        for line in received {
            if line.type == "gap" {
                #expect(line.from! >= next && line.to! >= line.from!)
                next = line.to! + 1
                for kind in EncodedEvent.Kind.allCases { accounted[kind] += line.lost?[kind.name] ?? 0 }
            } else {
                #expect(line.seq! >= next)
                next = line.seq! + 1
                let kind = EncodedEvent.Kind.allCases.first { $0.name == line.type }!
                accounted[kind] += 1 + (line.coalesced ?? 0)
            }
        }
        #expect(accounted == bench.log.counts)
        #expect(next == bench.log.journal.nextSequence)
    }
}
