// SPDX-License-Identifier: Apache-2.0
@testable import EventLog
import GlimpseTesting
import Testing

/// The ring beside a plain list of lines.
struct LineRingTests {
    private struct Lines {
        var ring = LineRing()
        var stored: [(offset: UInt64, bytes: [UInt8])] = []

        mutating func append(_ line: [UInt8], limit: Int) {
            stored.append((ring.end, line))
            ring.append(count: line.count, limit: limit) { $0.update(from: line, count: line.count) }
        }

        mutating func removeFirst() {
            stored.removeFirst()
            ring.removeLines(before: stored.first?.offset ?? ring.end)
        }

        /// Whether the ring has the stored lines, each in one piece and all together.
        var isWhole: Bool {
            let all = ring.withBytes(ring.start..<ring.end) { Array($0) + Array($1) }
            return all == stored.flatMap(\.bytes)
                && stored.allSatisfy {
                    ring.bytes(ofLinePart: $0.offset..<$0.offset + UInt64($0.bytes.count)) == $0.bytes
                }
        }
    }

    @Test(arguments: 1...20)
    func linesOfAnyLengthComeAndGo(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = [1 << 14, 100_000, 1 << 18].randomElement(using: &random)!
        let longest = [300, 5_000, 65_536].randomElement(using: &random)!
        var lines = Lines()
        for number in 0..<2_000 {
            let line = [UInt8](
                repeating: UInt8(truncatingIfNeeded: number), count: .random(in: 1...longest, using: &random))
            while !lines.stored.isEmpty, lines.ring.count + line.count > limit { lines.removeFirst() }
            lines.append(line, limit: limit)
            if number % 50 == 0 { #expect(lines.isWhole, "seed \(seed), line \(number)") }
        }
        lines.ring.removeAll()
        lines.stored = []
        lines.append([1, 2, 3], limit: limit)
        #expect(lines.isWhole)
    }

    @Test func aCopyKeepsItsLines() {
        var lines = Lines()
        for number in 0..<100 as Range<UInt8> { lines.append(Array(repeating: number, count: 50), limit: 4_000) }
        let copy = lines
        for number in 100..<200 as Range<UInt8> {
            while lines.ring.count > 3_000 { lines.removeFirst() }
            lines.append(Array(repeating: number, count: 50), limit: 4_000)
        }
        #expect(copy.isWhole && lines.isWhole && copy.stored.count == 100)
    }
}
