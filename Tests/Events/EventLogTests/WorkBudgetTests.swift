// SPDX-License-Identifier: Apache-2.0
@testable import EventLog
import GlimpseTesting
import Observations
import Testing

/// The cost of a subscriber's requests to other subscribers, in steps and not in time.
@Suite struct WorkBudgetTests {
    /// A pattern of 512 states. A value of `a`s reaches all states in every place.
    private static let worst = #"(.*){120}y"#

    private static func value(_ number: Int) -> String {
        let digits = String(number)
        return digits + String(repeating: "a", count: 1023 - digits.count) + "z"
    }

    private static func crowd(_ tracks: Int) -> SubscriberBench {
        var bench = SubscriberBench(journal: 10_000)
        for number in 1...tracks { bench.append(.detected, id: UInt64(number), kind: .barcode, text: value(number)) }
        return bench
    }

    @Test func theWorkBudgetBoundsTheStepsOfAnInterval() {
        let start = ContinuousClock.now
        var allowance = WorkBudget(at: start)
        var taken = 0
        while case let share = allowance.share(at: start), share > 0 {
            #expect(share <= WorkBudget.share)
            allowance.spend(share)
            taken += share
        }
        #expect(taken == WorkBudget.steps)
        let nearly = start + (WorkBudget.interval - .nanoseconds(1))
        #expect(allowance.share(at: nearly) == 0)
        // The next intervals pay for the overdraft.
        allowance.spend(3 * WorkBudget.steps / 2)
        #expect(allowance.share(at: start + WorkBudget.interval) == 0)
        #expect(allowance.share(at: start + WorkBudget.interval * 2) == WorkBudget.share)
        allowance.spend(WorkBudget.steps / 2)
        #expect(allowance.share(at: start + WorkBudget.interval * 2) == 0)
        // Unused steps do not carry over.
        #expect(allowance.share(at: start + .seconds(1_000_000)) == WorkBudget.share)
        allowance.spend(WorkBudget.steps)
        #expect(allowance.share(at: start + .seconds(1_000_000)) == 0)
    }

    /// Two hundred tracks with different values of 1 KiB, and a pattern that takes half a million steps for each value.
    /// Without a budget these hundred million steps would be one turn of the event loop.
    @Test func aNewFilterTakesAShareOfTheWorkBudget() {
        var bench = Self.crowd(200)
        var (other, lines) = bench.joined(#"{"subscribe":{"value_regex":"^19"},"state":true}"#)
        #expect(lines.map(\.type) == ["state"] && lines[0].tracks?.count == 11)
        _ = bench.connect()
        bench.stepsOfTurn = WorkBudget.share
        bench.subscriber.received(Array((#"{"subscribe":{"value_regex":"\#(Self.worst)"},"ping":"done"}"# + "\n").utf8))
        for _ in 0..<30 {
            let answers = bench.turn { $0.subscriber.nextAnswers($0.log, at: $0.moment, steps: &$1) }
            #expect(answers.isEmpty && bench.subscriber.isAsking)
            // The subscriber is not live before this step, and new events wait.
            #expect(!bench.subscriber.isBehind(bench.log))
        }
        // A place of a value takes 512 at most, a line's way to it its length over 8.
        #expect(bench.mostSteps <= WorkBudget.share + 1500, "\(bench.mostSteps)")
        other.append(.detected, id: 7000, kind: .barcode, text: "19")
        #expect(other.read().map(\.track?.id) == ["7000"])
    }

    /// New lines and lines from disk cost steps too. With any share, the same lines pass.
    @Test(arguments: [1, 700, WorkBudget.share], [true, false])
    func theShareOfTheWorkBudgetDoesNotChangeTheLines(share: Int, isKept: Bool) {
        var bench = SubscriberBench(journal: isKept ? 5 : 1000)
        if isKept { bench.keepOnDisk() }
        bench.stepsOfTurn = share
        _ = bench.connect()
        #expect(bench.request(#"{"subscribe":{"value_regex":"^1.*z.{2,3}$|(.*){9}yy"}}"#).isEmpty)
        for number in 1...12 as ClosedRange<UInt64> {
            bench.append(
                .detected, id: number, kind: .barcode, text: "\(number)" + String(repeating: "a", count: 20) + "zab")
            bench.append(.missing, id: number)
            bench.append(.completed(.gone), id: number, kind: .barcode)
        }
        let expected = ["1"] + (10...12).map { "\($0)" }
        #expect(bench.read().compactMap { $0.type == "detected" ? $0.track?.id : nil } == expected)
        #expect(bench.subscriber.gate?.tracks == 0)
        #expect(bench.mostSteps <= share + 1000)
        #expect(bench.request(#"{"after":0}"#).isEmpty)
        #expect(bench.read().compactMap { $0.type == "completed" ? $0.track?.id : nil } == expected)
    }

    /// Requests that come together are answered one at a time. The next request is read after the answer.
    @Test func requestsUnderAWorkBudgetAreAnsweredOneAtATime() {
        var bench = Self.crowd(20)
        _ = bench.connect()
        bench.stepsOfTurn = 1
        bench.subscriber.received(Array(String(repeating: #"{"state":true}"# + "\n", count: 5).utf8))
        for left in (0..<5).reversed() {
            let answer = bench.turn { $0.subscriber.nextAnswers($0.log, at: $0.moment, steps: &$1) }
            #expect(bench.lines(answer).contains { $0.type == "state" })
            #expect(bench.subscriber.isAsking == (left > 0))
            // The greeting's length grows with the number of tracks.
            #expect(bench.mostSteps > 20 * 100)
        }
        bench.append(.detected, id: 200)
        #expect(bench.read().map(\.track?.id) == ["200"])
    }

    /// A new subscriber waits for the greeting as for a requested state, and receives the state of the log at that
    /// time.
    @Test func aGreetingTakesStepsOfTheWorkBudget() {
        var bench = Self.crowd(20)
        bench.stepsOfTurn = 1
        bench.subscriber.connected(at: bench.moment)
        bench.append(.detected, id: 200)
        bench.append(.completed(.gone), id: 200)
        _ = bench.pass(Subscriber.holdTime)
        #expect(bench.subscriber.isAsking && bench.subscriber.takesSteps(bench.log))
        #expect(!bench.subscriber.isBehind(bench.log))
        let greeting = bench.lines(bench.turn { $0.subscriber.nextAnswers($0.log, at: $0.moment, steps: &$1) })
        let next = bench.log.journal.nextSequence
        #expect(greeting.map(\.type).reduce(into: []) { if $0.last != $1 { $0.append($1) } } == ["hello", "state"])
        #expect(greeting[0].next_seq == next && greeting[1].as_of == next - 1)
        #expect(greeting.reduce(0) { $0 + ($1.tracks?.count ?? 0) } == 20)
        #expect(bench.mostSteps > 20 * 50 && !bench.subscriber.isAsking)
        bench.append(.detected, id: 201)
        #expect(bench.read().map(\.track?.id) == ["201"])
    }

    @Test func aFirstRequestThatWaitsForTheWorkBudgetKeepsTheHold() {
        var bench = SubscriberBench()
        _ = bench.connect()
        bench.append(.detected, id: 1)
        bench.append(.detected, id: 2, kind: .barcode)
        bench.subscriber.received(Array((#"{"subscribe":{"kinds":["barcode"]}}"# + "\n").utf8))
        _ = bench.pass(.seconds(1))
        #expect(bench.writes().isEmpty)
        #expect(bench.request("").isEmpty)
        #expect(bench.read().map(\.seq) == [2])
    }
}
