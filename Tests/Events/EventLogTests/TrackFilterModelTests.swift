// SPDX-License-Identifier: Apache-2.0
import Conformance
@testable import EventLog
import GlimpseTesting
import Observations
import Testing

/// A log of random lives, with the known facts of each line.
private struct RandomLives {
    struct Line {
        var sequence: UInt64
        var track: String
        var type: String
        var confidence: Float
    }

    private enum Stage { case new, present, missing }

    var bench: SubscriberBench
    private(set) var lines: [Line] = []
    private var live: [(id: UInt64, stage: Stage)] = []
    private var nextID: UInt64 = 1

    init(queue: Int, journal: Int) {
        bench = SubscriberBench(queue: queue, journal: journal)
    }

    mutating func step(_ random: inout SeededRandom) {
        if live.isEmpty || (live.count < 4 && Int.random(in: 0..<12, using: &random) == 0) {
            add(.detected, nextID, &random)
            live.append((nextID, .new))
            nextID += 1
        }
        let index = Int.random(in: live.indices, using: &random)
        let (id, stage) = live[index]
        switch (stage, Int.random(in: 0..<20, using: &random)) {
        case (.present, 0), (.missing, 0...3):
            add(.completed(.gone), id, &random)
            live.remove(at: index)
        case (.present, 1...3), (.missing, 4...10):
            add(.missing, id, &random)
            live[index].stage = .missing
        default:
            add(.update, id, &random)
            live[index].stage = .present
        }
    }

    private mutating func add(_ phase: TrackPhase, _ id: UInt64, _ random: inout SeededRandom) {
        let confidence = Float.random(in: 0...1, using: &random)
        bench.append(phase, id: id, confidence: confidence)
        let type = LifeCycleGrammar.Step(phase).rawValue
        lines.append(Line(sequence: UInt64(lines.count + 1), track: "\(id)", type: type, confidence: confidence))
    }

    /// The rule in other words: each track passes completely from its first detection that meets the conditions.
    func passing(_ minimum: Float) -> [Line] {
        var first: [String: UInt64] = [:]
        for line in lines where ["detected", "update"].contains(line.type) && line.confidence >= minimum {
            if first[line.track] == nil { first[line.track] = line.sequence }
        }
        return lines.filter { line in first[line.track].map { $0 <= line.sequence } ?? false }
    }
}

@Suite struct TrackFilterModelTests {
    /// A subscriber with a random filter that stalls and resumes at random. Lines are in order, without repetition.
    /// Every line that passes is received, or counted by the line that replaces it, or in a gap.
    @Test(arguments: Fuzz.seeds(30))
    func everyLineThatPassesTheTrackFilterIsAccountedFor(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let minimum = [0, 0.5, 0.9, 0.99].randomElement(using: &random)! as Float
        let rate = [nil, 1, 7, 100].randomElement(using: &random)!
        var lives = RandomLives(
            queue: [0, 3000, 1 << 20].randomElement(using: &random)!,
            journal: [30, 2000].randomElement(using: &random)!)
        lives.bench.stepsOfTurn = [1, 300, .max].randomElement(using: &random)!
        _ = lives.bench.connect()
        _ = lives.bench.request(
            #"{"subscribe":{"min_confidence":\#(minimum)\#(rate.map { ",\"update_hz\":\($0)" } ?? "")}}"#)
        var received: [StreamLine] = []
        for _ in 0..<400 {
            lives.step(&random)
            if Int.random(in: 0..<15, using: &random) == 0 { received += lives.bench.read() }
        }
        received += lives.bench.read()

        let passing = lives.passing(minimum)
        let gaps = received.filter { $0.type == "gap" }.map { $0.from!...$0.to! }
        func inGap(_ sequence: UInt64) -> Bool { gaps.contains { $0.contains(sequence) } }
        let got = received.compactMap(\.seq)
        #expect(zip(got, got.dropFirst()).allSatisfy(<))
        #expect(Set(got).isSubset(of: passing.map(\.sequence)))
        let grammar = brokenLives(received)
        if gaps.isEmpty { #expect(grammar == []) }

        let bySequence = Dictionary(uniqueKeysWithValues: received.compactMap { line in line.seq.map { ($0, line) } })
        for (track, life) in Dictionary(grouping: passing, by: \.track)
        where !life.contains(where: { inGap($0.sequence) }) {
            var leftOut: UInt64 = 0
            var row = ""
            for line in life {
                let got = bySequence[line.sequence]
                switch line.type {
                case "update", "missing":
                    // Slow readers may miss the first of a row of updates too: a later one of the row stands for it.
                    let mayMissFirst = line.type == "update" && lives.bench.isSlowReader
                    if let got {
                        #expect(got.coalesced ?? 0 == leftOut, "track \(track), \(line.sequence)")
                        leftOut = 0
                    } else {
                        leftOut += 1
                        #expect(row == line.type || mayMissFirst, "track \(track), \(line.sequence)")
                        #expect(rate != nil || mayMissFirst)
                    }
                default: #expect(got != nil, "track \(track), \(line.sequence)")
                }
                row = line.type
            }
        }
    }

    /// A subscriber that comes back after any line receives the rest of its lines.
    @Test(arguments: Fuzz.seeds(4))
    func aFilteredSubscriberThatResumesReceivesTheRestOfItsLines(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var lives = RandomLives(queue: 1 << 20, journal: 1000)
        lives.bench.stepsOfTurn = [1, 1000, .max].randomElement(using: &random)!
        for _ in 0..<150 { lives.step(&random) }
        let passing = lives.passing(0.8).map(\.sequence)
        for after in stride(from: 0, to: UInt64(lives.lines.count), by: 3) {
            let joined = lives.bench.joined(#"{"subscribe":{"min_confidence":0.8},"after":\#(after)}"#)
            #expect(joined.lines.compactMap(\.seq) == passing.filter { $0 > after }, "after \(after)")
            var changed = lives.bench.joined(#"{"after":\#(after)}"#, #"{"after":0}"#).bench
            #expect(changed.request(#"{"subscribe":{"min_confidence":0.8},"after":\#(after)}"#).isEmpty)
            #expect(changed.read().compactMap(\.seq) == passing.filter { $0 > after }, "changed after \(after)")
        }
    }

    /// Lives as a reader sees them: a life begins with `detected`, or with the `update` that passed first.
    private func brokenLives(_ lines: [StreamLine]) -> [String] {
        var last: [String: String] = [:]
        var broken: [String] = []
        for line in lines {
            guard let track = line.track?.id else { continue }
            let allowed: Set<String> =
                switch last[track] {
                case nil: ["detected", "update"]
                case "detected": ["update"]
                case "completed": []
                default: ["update", "missing", "completed"]
                }
            if !allowed.contains(line.type) {
                broken.append("\(track): \(line.type) after \(last[track] ?? "nothing")")
            }
            last[track] = line.type
        }
        return broken
    }
}
