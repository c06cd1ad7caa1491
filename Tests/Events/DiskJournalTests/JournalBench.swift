// SPDX-License-Identifier: Apache-2.0
@testable import DiskJournal
import EventLog
import Glibc
import GlimpseTesting
import Logging
import Observations
import Synchronization
import Testing

/// An event log with a journal on disk, like the daemon's, in a folder of the test.
final class JournalBench {
    let folder: String
    let journal: DiskJournal
    let stream: EventStream
    private(set) var events = SampleEvents()
    private(set) var frame: UInt64 = 0
    /// The state with which the journal continued.
    let opened: RunState?
    /// The number of reports to the log about lines on disk: one for each commit.
    let commits = CommitCount()

    final class CommitCount: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    init(
        _ folder: String, bytes: Int = 64 << 20, eventAge: Int64 = 86_400, trackAge: Int64 = 86_400,
        memory: Int = 100_000, sync: Duration = .milliseconds(2)
    ) {
        self.folder = folder
        var run: RunState?
        journal = DiskJournal(
            folder: folder, limits: .init(bytes: bytes, eventAge: eventAge, trackAge: trackAge), sync: sync,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), opened: &run)
        opened = run
        let limits = Journal.Limits(events: memory, bytes: 1 << 30)
        stream = EventStream(log: run.map { EventLog(goingOnWith: $0, limits: limits) } ?? EventLog(limits: limits))
        stream.attach(journal)
        stream.record { _ = $0.addPipeline(events.identity) }
        journal.begin(stream.log) { [commits] _ in commits.add() }
    }

    var log: EventLog { stream.log }
    var archive: Archive? { journal.status.archive }

    /// One event in a frame of its own, published at once.
    func append(_ phase: TrackPhase, _ kind: FeatureKind = .face, id: UInt64, text: String = "4006381333931") {
        frame += 1
        let event = events.track(phase, kind, id: id, frame: frame, text: text)
        stream.record { _ = $0.append(event, pipeline: 0) }
        stream.publish()
    }

    func updates(_ count: Int, id: UInt64 = 1) { for _ in 0..<count { append(.update, id: id) } }

    /// Complete lives of tracks, one after the other.
    func lives(_ ids: ClosedRange<UInt64>, _ kind: FeatureKind = .face, updates: Int = 1) {
        for id in ids {
            append(.detected, kind, id: id)
            for _ in 0..<updates { append(.update, kind, id: id) }
            append(.completed(.gone), kind, id: id)
        }
    }

    func waitUntilCommitted() async {
        let end = log.journal.nextSequence
        #expect(await holds { journal.status.archive?.end == end }, "\(journal.status)")
    }

    /// All kept events from `sequence` on.
    func read(from sequence: UInt64 = 1, bytes: Int = 1 << 30) async -> ArchivePage {
        await withCheckedContinuation { continuation in
            journal.read(from: sequence, bytes: bytes) { continuation.resume(returning: $0) }
        }
    }

    /// A copy of the files at this moment. A killed process leaves these files.
    func copy(to folder: String) {
        mkdir(folder, 0o755)
        for name in ["journal.sqlite", "journal.sqlite-wal", "journal.tail"] {
            guard let bytes = try? TestFile.read("\(self.folder)/\(name)") else { continue }
            try? TestFile.write(bytes, to: "\(folder)/\(name)")
        }
    }
}
