// SPDX-License-Identifier: Apache-2.0
@testable import EventLog
import GlimpseTesting
import Observations
import Testing

/// Compares a subscriber that takes whole batches with a subscriber that reads the log line by line.
private struct Twins {
    private static let phases: [TrackPhase] = [.update, .update, .missing, .detected, .completed(.gone)]

    private var bench: SubscriberBench
    private var taker: SubscriberBench
    private(set) var taken = 0

    init(_ bench: SubscriberBench) {
        self.bench = bench
        _ = self.bench.connect()
        taker = self.bench
    }

    mutating func request(_ line: String) {
        taker.log = bench.log
        #expect(taker.answers(line) == bench.answers(line))
    }

    mutating func pass(_ duration: Duration) {
        let actions = bench.pass(duration)
        #expect(taker.pass(duration) == actions)
    }

    /// - Parameter isReading: there is room in the socket.
    mutating func record(_ lines: Int, isReading: Bool, _ random: inout SeededRandom) {
        let first = bench.log.journal.nextSequence
        for _ in 0..<lines {
            let phase = Self.phases[Int.random(in: Self.phases.indices, using: &random)]
            bench.append(phase, id: UInt64.random(in: 1...3, using: &random))
        }
        guard isReading else { return }
        taker.log = bench.log
        let sequences = first..<bench.log.journal.nextSequence
        if let batch = FreshBatch(sequences, bench.log), taker.subscriber.takeWhole(batch, at: bench.moment.instant) {
            taken += 1
            #expect(bench.writes() == [.sendRecords(sequences)])
        }
        while taker.subscriber.isBehind(bench.log) || bench.subscriber.isBehind(bench.log) {
            #expect(taker.writes() == bench.writes())
        }
    }
}

@Suite struct FreshBatchTests {
    private static let requests = [
        #"{"subscribe":{}}"#, #"{"subscribe":{}}"#, #"{"subscribe":{"types":["completed"]}}"#,
        #"{"subscribe":{"update_hz":10}}"#, #"{"after":0}"#, #"{"after":0,"run_id":"another"}"#, #"{"ping":"x"}"#,
    ]

    /// A subscriber that takes whole batches and a subscriber that reads lines receive equal lines, now and later.
    @Test(arguments: Fuzz.seeds(20))
    func aBatchTakenWholeHasTheLinesOfABatchReadByLine(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let queue = [0, 2000, 1 << 20].randomElement(using: &random)!
        var twins = Twins(
            SubscriberBench(queue: queue, journal: [8, 100, 2000].randomElement(using: &random)!))
        var isReading = true
        for _ in 0..<200 {
            switch Int.random(in: 0..<30, using: &random) {
            case 0: twins.request(Self.requests.randomElement(using: &random)!)
            case 1, 2: isReading.toggle()
            case 3: twins.pass(.milliseconds(60))
            default: twins.record(Int.random(in: 0...8, using: &random), isReading: isReading, &random)
            }
        }
        // A queue of zero bytes is over its limit with each line.
        twins.request(#"{"subscribe":{}}"#)
        twins.record(0, isReading: true, &random)
        for _ in 0..<10 { twins.record(1, isReading: true, &random) }
        #expect(twins.taken >= 10 || queue == 0)
    }

    @Test func aSubscriberThatKeepsUpWithoutAFilterTakesEachBatchWhole() throws {
        var bench = SubscriberBench(journal: 4)
        _ = bench.connect()
        bench.updates(2)
        // Not before its first request.
        #expect(!bench.subscriber.takeWhole(try #require(FreshBatch(1..<3, bench.log)), at: bench.moment.instant))
        #expect(bench.request(#"{"subscribe":{}}"#).isEmpty)
        #expect(bench.subscriber.takeWhole(try #require(FreshBatch(1..<3, bench.log)), at: bench.moment.instant))
        // The subscriber takes the batch once.
        #expect(!bench.subscriber.takeWhole(try #require(FreshBatch(1..<3, bench.log)), at: bench.moment.instant))
        #expect(bench.read().isEmpty)
        // No subscriber takes a batch in one step that exceeds the log's capacity or one write to a socket.
        bench.updates(5)
        #expect(FreshBatch(3..<8, bench.log) == nil)
        var large = SubscriberBench()
        large.updates(200)
        #expect(large.log.journal.bytes > Subscriber.windowBytes)
        #expect(FreshBatch(1..<201, large.log) == nil)
    }

    /// Each batch allocates its counts. `malloc` aligns to 16 bytes; a larger alignment is slower.
    @Test func countsNeedNoAlignmentBeyondThatOfTheAllocator() {
        #expect(MemoryLayout<EventCounts>.alignment <= 16)
    }
}
