// SPDX-License-Identifier: Apache-2.0
import Conformance
import GlimpseTesting
import Testing

/// A conforming stream with one mutation is a violation, unless the mutation is invisible in the stream.
@Suite struct MutationTests {
    private enum Mutation: CaseIterable {
        case drop, duplicate, swap, member, type, value
    }

    /// The check sees every mutation of a numbered stream except the loss of its end: here, the last line, which is the
    /// source's.
    @Test func everyMutationOfANumberedStreamIsAViolation() {
        let stream = HandWrittenStream.daemon.with { $0.insert(HandWrittenStream.hello(next: 1), at: 0) }
        var refuted: [Mutation: Int] = [:]
        for seed in Fuzz.seeds(600) {
            var random = SeededRandom(seed: seed)
            let mutation = Mutation.allCases.randomElement(using: &random) ?? .drop
            var lines = stream.lines
            let index = Int.random(in: 1..<lines.count, using: &random)
            Self.apply(mutation, index, &lines, &random)
            guard lines != stream.lines else { continue }
            let isInvisible = mutation == .drop && index == stream.lines.count - 1
            let violation = HandWrittenStream(lines: lines).violation()
            #expect((violation == nil) == isInvisible, "seed \(seed): \(mutation) at \(index + 1)")
            if violation != nil { refuted[mutation, default: 0] += 1 }
        }
        #expect(refuted.count == Mutation.allCases.count && refuted.values.allSatisfy { $0 > 20 }, "\(refuted)")
    }

    /// Without numbers, the check cannot see lost or repeated lines that do not concern a track's life. The check also
    /// misses a lost `missing` or `update` of a live track.
    @Test func mutationsOfTracksAndFramesAreViolationsWithoutNumbers() {
        let lines = HandWrittenStream.foreground.lines
        let seen = Set(
            lines.indices.filter { index in
                HandWrittenStream.foreground.with { $0.remove(at: index) }.violation() != nil
            })
        // All `detected` lines with their `update` lines, and the ends.
        #expect(seen == [2, 3, 4, 5, 9, 11])
        for index in 2...11 {
            #expect(HandWrittenStream.foreground.with { $0.insert($0[index], at: index) }.violation() != nil)
        }
        for index in 2..<11 {
            #expect(HandWrittenStream.foreground.with { $0.swapAt(index, index + 1) }.violation() != nil, "\(index)")
        }
    }

    /// The check cannot see wrong but possible values, such as a moved box or another count.
    private static func apply(_ mutation: Mutation, _ index: Int, _ lines: inout [String], _ random: inout SeededRandom)
    {
        switch mutation {
        case .drop: lines.remove(at: index)
        case .duplicate: lines.insert(lines[index], at: index)
        case .swap: lines.swapAt(index, Int.random(in: 1..<lines.count, using: &random))
        case .member:
            let names = ["v", "type", "time", "clock", "run_id", "pipeline"]
            lines[index].replace("\"\(names.randomElement(using: &random) ?? "v")\":", with: "\"other\":")
        case .type:
            let types = ["detected", "update", "missing", "completed"].filter {
                !lines[index].contains("\"type\":\"\($0)\"")
            }
            guard lines[index].contains("\"track\":") else { return }
            lines[index].replace(
                #/"type":"[a-z]+"/#, with: "\"type\":\"\(types.randomElement(using: &random) ?? "")\"")
        case .value:
            lines[index].replace(
                #/"seq":\d+,"run/#, with: "\"seq\":\(UInt64.random(in: 20...UInt64.max, using: &random)),\"run")
        }
    }

    /// Any bytes give a verdict. The verdict does not depend on the cuts between reads.
    @Test func anyBytesGiveAConformanceVerdict() {
        let whole = Array(HandWrittenStream.daemon.lines.map { $0 + "\n" }.joined().utf8)
        for round in Fuzz.rounds(400) {
            var random = SeededRandom(seed: UInt64(round))
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...200, using: &random)))
                case 2: bytes.insert(contentsOf: bytes.suffix(Int.random(in: 1...400, using: &random)), at: place)
                default: bytes.insert(contentsOf: Array(#"[{"":18446744073709551615,"e":1e999,"#.utf8), at: place)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            var (one, many) = (ConformanceCheck(), ConformanceCheck())
            one.take(bytes)
            one.finish()
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 1...700, using: &random))
                many.take(part)
                rest = rest.dropFirst(part.count)
            }
            many.finish()
            #expect(one.violation == many.violation, "round \(round)")
        }
        var check = ConformanceCheck()
        check.take(Array((String(repeating: "[", count: 60_000) + "\n").utf8))
        #expect(check.violation?.problem == "not a JSON object in UTF-8")
    }

    @Test func sequenceNumbersAtTheirLimitsDoNotTrap() {
        let most = "18446744073709551615"
        for isFiltered in [false, true] {
            let lines = HandWrittenStream.daemon.lines.map {
                $0.replacing(#/"seq":2,"run/#, with: #""seq":\#(most),"run"#)
            }
            #expect(HandWrittenStream(lines: lines).violation(isFiltered: isFiltered) != nil)
            let ids = HandWrittenStream.daemon.lines.map { $0.replacing(#""id":"2""#, with: #""id":"\#(most)""#) }
            #expect(HandWrittenStream(lines: ids).violation(isFiltered: isFiltered) == nil)
        }
        let gap = HandWrittenStream.gap(#""from":\#(most),"to":\#(most),"reason":"journal""#)
        #expect(
            HandWrittenStream(lines: [HandWrittenStream.hello(next: 1), gap] + HandWrittenStream.daemon.lines)
                .violation() != nil)
    }
}
