// SPDX-License-Identifier: Apache-2.0
@testable import EventLog
import GlimpseTesting
import Observations
import Testing

/// Subscribers that request events older than those in memory.
@Suite struct ArchiveTests {
    private static func bench(memory: Int = 10, queue: Int = 1 << 20) -> SubscriberBench {
        var bench = SubscriberBench(queue: queue, journal: memory)
        bench.keepOnDisk()
        return bench
    }

    @Test func eventsThatMemoryDroppedComeFromTheArchive() {
        var bench = Self.bench()
        bench.append(.detected, id: 1)
        bench.updates(99)
        let hello = bench.connect()
        #expect(hello[0].text.contains(#""journal":{"first":1,"last":100}"#))
        #expect(bench.request(#"{"after":3,"run_id":"run"}"#).isEmpty)
        bench.updates(5)
        #expect(bench.read().map(\.seq) == Array(4...105))
        #expect(bench.request(#"{"after":50,"run_id":"yesterday"}"#).map(\.reason) == ["other_run"])
        #expect(bench.read().map(\.seq) == Array(1...105))
    }

    @Test func holesOfTheArchiveAreGapsWithTheLostNumbers() {
        var bench = Self.bench()
        bench.append(.detected, id: 1)
        bench.updates(59)
        bench.disk.lose(10...14)
        bench.disk.lose(30...30, isKnown: false)
        _ = bench.connect()
        #expect(bench.request(#"{"after":0}"#).isEmpty)
        let lines = bench.read()
        #expect(lines.compactMap(\.seq) == Array(1...9) + Array(15...29) + Array(31...60))
        let gaps = lines.filter { $0.type == "gap" }
        #expect(
            gaps.map(\.from) == [10, 30] && gaps.map(\.to) == [14, 30] && gaps.map(\.reason) == ["journal", "journal"])
        #expect(gaps.map(\.lost) == [["update": 5], nil])
    }

    @Test func filtersApplyToEventsOfTheArchive() {
        var bench = Self.bench()
        bench.append(.detected, id: 1)
        bench.append(.detected, id: 2, kind: .barcode)
        bench.updates(59)
        _ = bench.connect()
        _ = bench.request(#"{"subscribe":{"kinds":["barcode"]},"after":0}"#)
        #expect(bench.read().compactMap(\.seq) == [2])
        _ = bench.request(#"{"subscribe":{"kinds":["barcode"],"value_regex":"^4006"},"after":0}"#)
        #expect(bench.read().compactMap(\.seq) == [2])
        _ = bench.request(#"{"subscribe":{"kinds":["barcode"],"value_regex":"^5"},"after":0}"#)
        #expect(bench.read().compactMap(\.seq) == [])
    }

    @Test func anUnreadableArchiveIsAGapUpToMemory() {
        var bench = Self.bench()
        bench.updates(60)
        _ = bench.connect()
        _ = bench.request(#"{"after":5}"#)
        bench.disk.isBroken = true
        let lines = bench.read()
        #expect(lines.first?.type == "gap" && lines.first?.from == 6 && lines.first?.to == 50)
        #expect(lines.compactMap(\.seq) == Array(51...60))
    }

    /// Retention has removed all events, and then the disk failed.
    @Test func anEmptyArchiveThatFailsIsAGapUpToMemory() {
        var bench = SubscriberBench(journal: 10)
        bench.updates(60)
        bench.log.archive = Archive(first: 40, end: 40, evicted: nil, isWriting: false)
        _ = bench.connect()
        let gap = bench.request(#"{"after":5}"#)
        #expect(gap.map(\.type) == ["gap"] && gap[0].from == 6 && gap[0].to == 50)
        #expect(bench.read().compactMap(\.seq) == Array(51...60))
        // A subscriber that waits for the disk receives the gap too if the disk is empty.
        bench.log.archive = Archive(first: 1, end: 40, evicted: nil, isWriting: true)
        #expect(bench.request(#"{"after":5}"#).isEmpty)
        bench.log.archive = Archive(first: 40, end: 40, evicted: nil, isWriting: false)
        let lines = bench.read()
        #expect(lines.first?.type == "gap" && lines.compactMap(\.seq) == Array(51...60))
    }

    @Test func aSubscriberThatWaitsForTheArchiveCanSendRequests() {
        var bench = Self.bench()
        bench.updates(60)
        _ = bench.connect()
        _ = bench.request(#"{"after":5}"#)
        let waiting = bench.writes()
        #expect(waiting == [.fetch(6)] && bench.writes().isEmpty)
        _ = bench.request(#"{"after":57}"#)
        bench.subscriber.fetched(bench.disk.page(from: 6))
        #expect(bench.read().compactMap(\.seq) == [58, 59, 60])
    }

    /// Every number comes once and in order, or in exactly one gap, or as an update that a later update replaces.
    @Test(arguments: Fuzz.seeds(60)) func archivedEventsAreNotReorderedDuplicatedOrSilentlyLost(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bench = Self.bench(
            memory: .random(in: 3...40, using: &random), queue: [2000, 1 << 20].randomElement(using: &random)!)
        bench.append(.detected, id: 1)
        bench.updates(.random(in: 0...80, using: &random))
        _ = bench.connect()
        _ = bench.request(#"{"after":0}"#)
        var next: UInt64 = 1
        var owed: UInt64 = 0
        for _ in 0..<120 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: bench.disk.lag = .random(in: 0...30, using: &random)
            case 1: bench.disk.isBroken.toggle()
            case 2:
                let first = UInt64.random(in: 1...max(1, bench.log.journal.nextSequence - 1), using: &random)
                bench.disk.lose(first...(first + .random(in: 0...9, using: &random)), isKnown: .random(using: &random))
            case 3: bench.disk.evict(.random(in: 0...20, using: &random))
            case 4...6: bench.updates(.random(in: 0...20, using: &random), id: .random(in: 1...3, using: &random))
            default:
                for line in bench.read(steps: .random(in: 1...4, using: &random)) {
                    if line.type == "gap" {
                        let (from, to) = (line.from ?? 0, line.to ?? 0)
                        #expect(from == next && to >= from)
                        if let lost = line.lost { #expect(lost.values.reduce(0, +) == to - from + 1) }
                        next = to + 1
                    } else if let seq = line.seq {
                        owed += seq - next
                        #expect(seq >= next)
                        let coalesced = line.coalesced ?? 0
                        #expect(coalesced <= owed)
                        owed -= min(owed, coalesced)
                        next = seq + 1
                    }
                }
            }
        }
        bench.disk.isBroken = false
        for line in bench.read() {
            if line.type == "gap" {
                next = (line.to ?? 0) + 1
            } else if let seq = line.seq {
                owed = owed + (seq - next) - (line.coalesced ?? 0)
                next = seq + 1
            }
        }
        #expect(next == bench.log.journal.nextSequence && owed == 0)
    }
}
