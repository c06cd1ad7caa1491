// SPDX-License-Identifier: Apache-2.0
import Testing
import Workers

@Suite struct StartPaceTests {
    private let begin = ContinuousClock.now

    @Test func aFewStartsDoNotWait() {
        let pace = StartPace(processors: 2)
        #expect((0..<8).allSatisfy { _ in pace.reserve(at: begin) == begin })
    }

    @Test func manyStartsAreSpreadOverTime() {
        let pace = StartPace(processors: 2)
        let waits = (0..<32).map { _ in pace.reserve(at: begin) - begin }
        #expect(waits[8...] == (1...24).map { .seconds(0.75) * $0 }[...])
    }

    @Test func startsAreAllowedAgainAfterAPause() {
        let pace = StartPace(processors: 2)
        for _ in 0..<8 { _ = pace.reserve(at: begin) }
        let later = begin + .seconds(60)
        #expect((0..<8).allSatisfy { _ in pace.reserve(at: later) == later })
        #expect(pace.reserve(at: later) > later)
    }

    @Test func aWorkerThatCrashesAgainAndAgainDoesNotWait() {
        let pace = StartPace(processors: 1)
        for _ in 0..<3 { _ = pace.reserve(at: begin) }
        for _ in 0..<1000 {
            #expect(pace.reserve(at: begin) == begin)
            pace.giveBack()
        }
    }

    /// After the outage of a network.
    @Test func theEndOfAllWorkersAllowsNoMoreStartsThanAPause() {
        let pace = StartPace(processors: 1)
        for _ in 0..<32 { _ = pace.reserve(at: begin) }
        let later = begin + .seconds(300)
        for _ in 0..<32 { pace.giveBack() }
        let waits = (0..<32).map { _ in pace.reserve(at: later) - later }
        #expect(waits[3] == .zero && waits[4] == .seconds(1.5) && waits[31] == .seconds(42))
    }
}
