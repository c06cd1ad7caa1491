// SPDX-License-Identifier: Apache-2.0
import Conformance
import EventLines
import EventLog
import Frames
import GlimpseTesting
import Observations
import Pipelines
import Testing

/// Every track that begins ends once and in order, with any detections, any dropped frames and any end of the run.
@Suite struct RandomLivesTests {
    @Test func everyTrackOfARandomRunHasACompleteLife() throws {
        var reasons: Set<String> = []
        var lines: [[UInt8]] = []
        for seed in Fuzz.seeds(300) {
            let run = RandomRun(seed: seed)
            let sink = RecordingSink()
            let outcome = run.run(into: sink)
            #expect(run.ending.explains(outcome), "seed \(seed)")
            var grammar = LifeCycleGrammar()
            for batch in sink.batches { grammar.batch(batch) }
            grammar.finish()
            #expect(grammar.violations == [], "seed \(seed)")
            #expect(sink.events.last?.kind == .source, "seed \(seed)")
            guard seed < 60 else { continue }
            // The lines in the order of a subscriber.
            #expect(violation(in: sink.lines) == nil, "seed \(seed)")
            let own = try Set(sink.lines.compactMap { try StreamLine($0).reason })
            let ends = Set(CompletionReason.allCases.map(\.rawValue)).subtracting([
                "gone", "discontinuity", "payload_changed", "focus_changed", "evicted",
            ])
            #expect(own.intersection(ends).isSubset(of: [run.ending.reason.rawValue]), "seed \(seed)")
            reasons.formUnion(own)
            lines += sink.lines
        }
        #expect(try EventSchema.violations(in: lines) == [])
        let all = ["gone", "discontinuity", "end_of_stream", "source_lost", "shutdown", "reload"]
        #expect(reasons.isSuperset(of: all), "\(reasons)")
    }

    /// The supervisor's side: workers that die between any two events and restart.
    @Test func everyTrackOfARandomEventLogHasACompleteLife() throws {
        var cuts = 0
        for seed in Fuzz.seeds(200) {
            var random = SeededRandom(seed: seed)
            var log = EventLog(limits: .init(events: 100_000, bytes: 1 << 30))
            let door = log.addPipeline(PipelineIdentity(name: "door"))
            var grammar = LifeCycleGrammar()
            var ids: Set<String> = []
            for epoch in 1...UInt64.random(in: 1...4, using: &random) {
                let sink = RecordingSink()
                _ = RandomRun(
                    seed: seed &* 16 &+ epoch, epoch: epoch, firstTrack: log.nextTrack(ofPipeline: door)
                ).run(into: sink)
                let death = random.chance(0.7) ? Int.random(in: 0...sink.events.count, using: &random) : .max
                if death < sink.events.count { cuts += 1 }
                var written = 0
                for batch in sink.batches {
                    let part = batch.prefix(max(0, death - written))
                    written += batch.count
                    let torn = part.count < batch.count
                    let first = log.journal.nextSequence
                    for event in part { log.append(event, pipeline: door) }
                    for event in part where event.kind == .detected {
                        let id = "\(event.detector) \(event.track)"
                        #expect(ids.insert(id).inserted, "seed \(seed): \(id) twice")
                    }
                    // The lines that the supervisor adds to a torn frame belong to that frame.
                    if torn { log.completeTracks(ofPipeline: door, reason: .sourceLost) }
                    grammar.take(log, from: first, written: part.count)
                    if torn { break }
                }
                let first = log.journal.nextSequence
                log.completeTracks(ofPipeline: door, reason: .sourceLost)
                grammar.take(log, from: first, written: 0)
                #expect(log.refused == 0, "seed \(seed)")
            }
            grammar.finish()
            #expect(grammar.violations == [], "seed \(seed)")
        }
        #expect(cuts > 150)
    }
}

extension RandomRun.Ending {
    fileprivate func explains(_ outcome: PipelineRunner.Outcome) -> Bool {
        switch (self, outcome) {
        case (.endOfFile, .ended), (.stop, .stopped), (.failure, .failed), (.silence, .failed): true
        default: false
        }
    }
}

extension LifeCycleGrammar {
    /// The log's records from `sequence` on, in two parts. The first part has the worker's records and the supervisor's
    /// additions to their frame. The second part has the ends that the supervisor writes.
    fileprivate mutating func take(_ log: EventLog, from sequence: UInt64, written count: Int) {
        let events = (sequence..<log.journal.nextSequence).map { log.journal.event($0) }
        let added = events.dropFirst(count).prefix { $0.kind != .completed }.count
        let ends = events.dropFirst(count + added)
        batch(Array(events.prefix(count + added)))
        for (_, ends) in Dictionary(grouping: ends, by: \.detector) { batch(ends) }
    }
}
