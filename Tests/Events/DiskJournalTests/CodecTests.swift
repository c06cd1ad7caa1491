// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
@testable import DiskJournal
import EventLines
import EventLog
import GlimpseTesting
import Observations
import Testing

@Suite struct CodecTests {
    private static func records(_ count: Int, from first: UInt64 = 7) -> [ArchivedRecord] {
        var doors = [SampleEvents(pipeline: "door"), SampleEvents(pipeline: "porch")]
        return (0..<count).map { index in
            let event =
                switch index % 4 {
                case 0 where index > 4: doors[index % 2].track(.update, .plate, id: UInt64(index))
                case 0: doors[index % 2].source(.connected)
                case 1: doors[index % 2].track(.update, .barcode, id: UInt64(index))
                case 2: ConfigEvent(time: .epoch, revision: 2, changed: ["door"]).encoded
                default: doors[index % 2].track(.completed(.gone), id: UInt64(index))
                }
            let name: String? = index % 4 == 2 ? nil : doors[index % 2].identity.name
            return ArchivedRecord(sequence: first + UInt64(index) * (index > 3 ? 2 : 1), pipeline: name, event: event)
        }
    }

    @Test(arguments: [0, 1, 2, 9]) func encodedBlocksDecodeToEqualBlocks(count: Int) {
        let records = Self.records(count)
        #expect(RecordBlock.decode(RecordBlock.encode(records)[...]) == records)
    }

    /// The four kinds had numbers, and nothing else changed.
    @Test func blocksOfVersion1AreRead() {
        let kinds: [FeatureKind?] = [nil, .face, .barcode, .object, .scene]
        var bytes: [UInt8] = [1]
        bytes.append(integer: 40)
        bytes.append(integer: 2, bytes: 2)
        for name in ["door", "eye"] { bytes.append(string: name) }
        for number in kinds.indices {
            bytes.append(integer: UInt64(number), bytes: 4)
            bytes.append(EncodedEvent.Kind.update.rawValue)
            bytes.append(UInt8(number))
            bytes.append(integer: 0, bytes: 2)
            bytes.append(integer: 1, bytes: 2)
            bytes.append(integer: 7)
            bytes.append(integer: 1, bytes: 4)
            bytes.append(UInt8(ascii: "}"))
        }
        func block(_ bytes: [UInt8]) -> [UInt8] {
            var check = CRC32()
            check.update(bytes[...])
            var block = bytes
            block.append(integer: UInt64(check.value), bytes: 4)
            return block
        }
        let records = RecordBlock.decode(block(bytes)[...])
        #expect(records?.map(\.event.feature) == kinds && records?.map(\.sequence) == Array(40...44))
        // Five never was a kind.
        bytes[bytes.count - 25] = 5
        #expect(RecordBlock.decode(block(bytes)[...]) == nil)
    }

    @Test func damagedBlocksAreRefused() {
        let block = RecordBlock.encode(Self.records(9))
        var random = SeededRandom(seed: 3)
        for length in 0..<block.count { #expect(RecordBlock.decode(block[..<length]) == nil) }
        for _ in 0..<2000 {
            var damaged = block
            for _ in 0...Int.random(in: 0...3, using: &random) {
                damaged[Int.random(in: 0..<block.count, using: &random)] ^= UInt8(
                    1 << Int.random(in: 0...7, using: &random))
            }
            if damaged != block { #expect(RecordBlock.decode(damaged[...]) == nil) }
        }
    }

    /// Any bytes with a valid checksum are read or refused, without a trap.
    @Test func anyBlockWithAValidChecksumIsReadOrRefused() {
        let block = RecordBlock.encode(Self.records(5))
        var random = SeededRandom(seed: 4)
        for _ in 0..<5000 {
            var bytes = Array(block.dropLast(4))
            for _ in 0...Int.random(in: 0...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            bytes = Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &random)))
            var check = CRC32()
            check.update(bytes[...])
            bytes.append(integer: UInt64(check.value), bytes: 4)
            let records = RecordBlock.decode(bytes[...]) ?? []
            #expect(zip(records, records.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
        }
    }

    @Test func theTailIsReadUpToItsFirstIncompleteBlock() throws {
        let scope = TestScope()
        let path = scope.path("tail")
        var counts = EventCounts()
        counts[.update] = 5
        var tail = try SequenceTail(path: path, runID: "0123456789abcdef", next: 1, counts: EventCounts())
        let records = Self.records(6, from: 1)
        for record in records {
            let isWritten = tail.write(next: record.sequence + 1, counts: counts, records: [record])
            #expect(isWritten)
        }
        let file = try TestFile.read(path)
        tail.close()
        let all = try #require(SequenceTail.read(file))
        #expect(all.runID == "0123456789abcdef" && all.bootID == SequenceTail.currentBootID && all.counts == counts)
        #expect(all.nextSequence == records.last.map { $0.sequence + 1 } && all.records == records)
        for length in 0..<file.count {
            guard let remains = SequenceTail.read(Array(file.prefix(length))) else {
                #expect(length < SequenceTail.framesStart)
                continue
            }
            #expect(remains.nextSequence == all.nextSequence && records.starts(with: remains.records))
        }
        var random = SeededRandom(seed: 5)
        for _ in 0..<3000 {
            var damaged = file
            damaged[Int.random(in: 0..<file.count, using: &random)] = .random(in: 0...255, using: &random)
            let remains = SequenceTail.read(damaged)
            #expect(remains == nil || records.starts(with: remains?.records ?? []))
        }
    }

    @Test func aRewrittenTailHoldsOnlyTheGivenRecords() throws {
        let scope = TestScope()
        let records = Self.records(6, from: 1)
        var tail = try SequenceTail(path: scope.path("t"), runID: "run", next: 1, counts: EventCounts())
        let isWritten = tail.write(next: 12, counts: EventCounts(), records: records)
        #expect(isWritten)
        try tail.rewrite(next: 12, counts: EventCounts(), records: Array(records.suffix(1)))
        #expect(SequenceTail.read(try TestFile.read(scope.path("t")))?.records == Array(records.suffix(1)))
        tail.close()
    }

    @Test func aFullHandOffDropsTheBatchAndReportsTheLoss() {
        let records = Self.records(6, from: 1)
        let bytes = records.map { $0.event.body.count + 64 }
        var handOff = HandOff(limit: bytes.prefix(3).reduce(0, +))
        for record in records { handOff.append(record) }
        let batch = handOff.take()
        // The fourth record exceeded the limit.
        #expect(batch.loss?.sequences == 1...records[3].sequence && batch.loss?.counts?.total == 4)
        #expect(batch.records == Array(records.suffix(2)) && handOff.dropped == 4)
        #expect(handOff.take().isEmpty)
        handOff.failed(batch)
        #expect(handOff.take().loss?.sequences == 1...records[5].sequence && handOff.dropped == 6)
    }
}
