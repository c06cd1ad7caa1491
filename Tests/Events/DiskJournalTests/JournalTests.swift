// SPDX-License-Identifier: Apache-2.0
import Dispatch
import EventLog
import Glibc
import GlimpseTesting
import Observations
import Testing

@testable import DiskJournal

@Suite struct JournalTests {
    private let scope = TestScope()

    @Test func theJournalContinuesTheNumbersOfItsLastRun() async {
        let first = JournalBench(scope.folder)
        first.lives(1...40, updates: 5)
        first.append(.detected, id: 41)
        first.updates(3, id: 41)
        first.append(.missing, id: 41)
        await first.waitUntilCommitted()
        let log = first.log
        first.journal.close()

        let second = JournalBench(scope.folder)
        #expect(second.opened?.runID == log.runID && second.opened?.nextSequence == log.journal.nextSequence)
        #expect(second.log.counts == log.counts && second.log.nextTrack(ofPipeline: 0) == 42)
        #expect(second.log.epochs(ofPipeline: 0) == 1)
        second.stream.record { $0.completeOrphans() }
        second.stream.publish()
        let end = second.log.journal[second.log.journal.nextSequence - 1]
        #expect(end.sequence == log.journal.nextSequence && end.header.kind == .completed && end.header.track == 41)
        await second.waitUntilCommitted()
        let page = await second.read()
        #expect(page.records.map(\.sequence) == Array(1...end.sequence))
        let same = page.records.dropLast().allSatisfy { $0.event == log.journal.event($0.sequence) }
        #expect(same)
        second.journal.close()
    }

    /// The number of waiting commits depends on the number of reasons for a commit, not on the number of events.
    @Test func aSlowDiskHasNoQueueOfCommits() async {
        let bench = JournalBench(scope.folder, bytes: 1 << 20, sync: .seconds(3600))
        let (before, slow) = (bench.commits.value, DispatchSemaphore(value: 0))
        bench.journal.queue.async { slow.wait() }
        // Fifty times the size of one commit, event by event.
        var bytes = 0
        while bytes < 50 * bench.journal.limits.batchBytes {
            bench.updates(100)
            bytes = Int(bench.log.journal.offset(of: bench.log.journal.nextSequence))
        }
        slow.signal()
        await bench.waitUntilCommitted()
        bench.journal.queue.sync {}
        #expect(bench.commits.value == before + 1)
        #expect(bench.journal.status.dropped == 0)
        bench.journal.close()
    }

    /// The kernel has these bytes when the process dies. Only the updates of the last moments are lost.
    @Test(arguments: [0, 1, 7])
    func theJournalOfAKilledDaemonLosesOnlyUpdatesAndReportsThem(committed: Int) async throws {
        let bench = JournalBench(scope.folder, sync: .seconds(3600))
        bench.lives(1...UInt64(max(1, committed)), updates: 3)
        // Reading an event that is not on disk yet commits the event.
        if committed > 0 { _ = await bench.read(from: bench.log.journal.nextSequence - 1) }
        bench.append(.detected, id: 100)
        bench.updates(4, id: 100)
        bench.append(.detected, id: 101)
        bench.updates(2, id: 101)
        bench.append(.completed(.gone), id: 100)
        bench.updates(1, id: 101)
        let log = bench.log
        bench.copy(to: scope.path("killed"))

        let next = JournalBench(scope.path("killed"))
        let run = try #require(next.opened)
        #expect(run.runID == log.runID && run.nextSequence == log.journal.nextSequence && run.counts == log.counts)
        #expect(run.pipelines.map { $0.tracks.map(\.newest.track) } == [[101]])
        let page = await next.read()
        let there = Set(page.records.map(\.sequence))
        var lost = EventCounts()
        for sequence in 1..<log.journal.nextSequence where !there.contains(sequence) {
            lost[log.journal[sequence].header.kind] += 1
        }
        #expect(lost[.update] == lost.total && lost.total >= 7)
        #expect(page.losses.values.reduce(EventCounts()) { $0 + $1.counts } == lost)
        for (first, loss) in page.losses {
            #expect((first...loss.last).allSatisfy { !there.contains($0) })
            #expect(loss.counts.total == loss.last - first + 1)
        }
        next.journal.close()
        bench.journal.close()
    }

    /// The second daemon is killed before it has committed anything.
    @Test func theJournalLosesOneStretchInTwoKillsInARow() async throws {
        let first = JournalBench(scope.folder, sync: .seconds(3600))
        first.append(.detected, id: 1)
        _ = await first.read(from: 1)
        first.updates(3)
        first.copy(to: scope.path("killed"))
        let second = JournalBench(scope.path("killed"), sync: .seconds(3600))
        second.updates(2)
        second.copy(to: scope.path("again"))
        let third = JournalBench(scope.path("again"))
        for (from, count) in [(2, 5), (3, 4), (6, 1)] as [(UInt64, UInt64)] {
            let page = await third.read(from: from)
            #expect(page.losses.keys.sorted() == [from] && page.losses[from]?.last == 6)
            #expect(page.losses[from]?.counts[.update] == count && page.losses[from]?.counts.total == count)
        }
        for bench in [first, second, third] { bench.journal.close() }
    }

    /// The write-ahead log cut off anywhere in the last commit: a power cut.
    @Test func theJournalOpensAfterTruncationAtEveryByteOfTheLastWrite() async throws {
        let bench = JournalBench(scope.folder, sync: .seconds(3600))
        bench.lives(1...3)
        _ = await bench.read(from: bench.log.journal.nextSequence - 1)
        let before = try TestFile.read(scope.path("journal.sqlite-wal")).count
        let safe = bench.log.journal.nextSequence
        bench.append(.detected, id: 4)
        _ = await bench.read(from: bench.log.journal.nextSequence - 1)
        let next = bench.log.journal.nextSequence
        let wal = try TestFile.read(scope.path("journal.sqlite-wal"))
        let database = try TestFile.read(scope.path("journal.sqlite"))
        #expect(wal.count > before)
        bench.journal.close()

        let folder = scope.path("cut")
        mkdir(folder, 0o755)
        // Every byte in a long run; otherwise those around the frames' edges (24 bytes of header, 4096 of page) and
        // some between.
        for length in before...wal.count {
            let offset = (length - 32) % 4120
            guard Fuzz.scale > 1 || offset < 26 || offset > 4118 || offset % 509 == 0 else { continue }
            unlink("\(folder)/journal.sqlite-shm")
            try TestFile.write(database, to: "\(folder)/journal.sqlite")
            try TestFile.write(wal.prefix(length), to: "\(folder)/journal.sqlite-wal")
            let opened = try JournalDatabase(
                path: "\(folder)/journal.sqlite", limits: .init(bytes: 64 << 20, eventAge: 3600, trackAge: 3600))
            let end = opened.end
            opened.close()
            // The commit is complete or absent.
            #expect(end == safe || end == next && length == wal.count, "\(length) of \(wal.count)")
        }
    }

    /// Without the record of the numbers, or after a reboot, the journal skips all numbers that may have been used.
    @Test func journalNumbersAfterAPowerCutBeginBeyondTheLease() async throws {
        let bench = JournalBench(scope.folder)
        bench.lives(1...3)
        await bench.waitUntilCommitted()
        let next = bench.log.journal.nextSequence
        bench.copy(to: scope.path("cut"))
        unlink(scope.path("cut/journal.tail"))
        let after = JournalBench(scope.path("cut"))
        let run = try #require(after.opened)
        #expect(run.runID == bench.log.runID && run.nextSequence == next + JournalDatabase.lease)
        let page = await after.read(from: next)
        #expect(page.sequences == next..<run.nextSequence && page.records.isEmpty && page.losses.isEmpty)
        after.journal.close()
        bench.journal.close()
    }

    @Test func aJournalFolderMadeLaterContinuesTheNumbers() async throws {
        let folder = scope.path("later")
        let bench = JournalBench(folder)
        bench.lives(1...3)
        #expect(await holds { bench.journal.status.error != nil })
        mkdir(folder, 0o755)
        await bench.waitUntilCommitted()
        bench.lives(4...6)
        let next = bench.log.journal.nextSequence
        bench.copy(to: scope.path("killed"))
        let after = JournalBench(scope.path("killed"))
        #expect(after.opened?.nextSequence == next && after.opened?.counts == bench.log.counts)
        after.journal.close()
        bench.journal.close()
    }

    @Test(arguments: [0, 100, 4096, 20_000])
    func aDamagedJournalDatabaseIsMovedAside(at offset: Int) async throws {
        let bench = JournalBench(scope.folder)
        bench.lives(1...30)
        await bench.waitUntilCommitted()
        bench.journal.close()
        let path = scope.path("journal.sqlite")
        var bytes = try TestFile.read(path)
        var random = SeededRandom(seed: UInt64(offset))
        for index in offset..<min(offset + 4096, bytes.count) { bytes[index] = .random(in: 0...255, using: &random) }
        try TestFile.write(bytes, to: path)
        let next = JournalBench(scope.folder)
        next.lives(1...3)
        await next.waitUntilCommitted()
        let from = next.opened?.nextSequence ?? 1
        let page = await next.read(from: from)
        #expect(page.records.map(\.sequence) == Array(from...(from + 8)))
        #expect(next.opened != nil || access(scope.path("journal.damaged.sqlite"), F_OK) == 0)
        if offset == 0 { #expect(next.opened == nil) }
        next.journal.close()
    }

    /// The version is in the file's header (sqlite.org/fileformat.html, 1.3.13).
    @Test func aJournalOfALaterVersionIsKept() async throws {
        let bench = JournalBench(scope.folder)
        bench.lives(1...3)
        await bench.waitUntilCommitted()
        bench.journal.close()
        let path = scope.path("journal.sqlite")
        var bytes = try TestFile.read(path)
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        try TestFile.write(bytes, to: path)
        let next = JournalBench(scope.folder)
        #expect(next.opened == nil)
        next.lives(1...1)
        await next.waitUntilCommitted()
        #expect(await next.read(from: 1).records.count == 3)
        next.journal.close()
        let kept = try TestFile.read(scope.path("journal.version99.sqlite"))
        // The header counts openings.
        #expect(kept[60..<64] == bytes[60..<64] && kept[4096...] == bytes[4096...])
        #expect(access(scope.path("journal.damaged.sqlite"), F_OK) != 0)
    }

    @Test func theJournalIsBoundedInBytesAndShrinksItsFile() async throws {
        let limit = 2 << 20
        let bench = JournalBench(scope.folder, bytes: limit, sync: .milliseconds(1))
        for round in 0..<12 {
            bench.lives(UInt64(round * 200 + 1)...UInt64(round * 200 + 200), updates: 4)
            await bench.waitUntilCommitted()
        }
        var status = stat()
        for name in ["journal.sqlite", "journal.sqlite-wal"] {
            #expect(stat(scope.path(name), &status) == 0)
            #expect(status.st_size <= off_t(limit), "\(name)")
        }
        let archive = try #require(bench.archive)
        let log = bench.log
        #expect(archive.first > 1 && archive.first < archive.end)
        var evicted = EventCounts()
        for sequence in 1..<archive.first { evicted[log.journal[sequence].header.kind] += 1 }
        #expect(archive.evicted == evicted)
        bench.journal.close()
    }

    @Test func theJournalIsBoundedByAge() async throws {
        let limits = JournalLimits(bytes: 64 << 20, eventAge: 100, trackAge: 1000)
        var database = try JournalDatabase(path: scope.path("journal.sqlite"), limits: limits)
        try database.begin(run: "0123456789abcdef", next: 1, counts: EventCounts())
        var events = SampleEvents()
        func batch(_ sequence: UInt64) -> HandOff.Batch {
            .init(records: [
                .init(sequence: sequence, pipeline: "door", event: events.track(.completed(.gone), id: sequence))
            ])
        }
        for (sequence, time) in [(1, 10_000), (2, 10_050), (3, 10_101), (4, 11_101)] {
            try database.commit(batch(UInt64(sequence)), at: Int64(time))
            let kept: UInt64 = [1: 1, 2: 1, 3: 2, 4: 4][sequence] ?? 0
            #expect(database.archive.first == kept)
        }
        database.close()
        let tracks = try History.read(folder: scope.folder, History.Query())
        #expect(tracks.map(\.sequence) == [4, 3])
    }

    @Test func twoDaemonsCannotShareAJournalFolder() {
        let first = JournalBench(scope.folder)
        let second = JournalBench(scope.folder)
        #expect(second.journal.status.error?.contains("journal.lock is locked by another process") == true)
        #expect(first.journal.status.error == nil)
        first.journal.close()
    }
}
