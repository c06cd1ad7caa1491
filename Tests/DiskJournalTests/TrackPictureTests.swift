import Events
import Glibc
import GlimpseTesting
import Observations
import Testing

@testable import DiskJournal

/// The history's pictures: told while they are there, gone with their tracks.
@Suite struct TrackPictureTests {
    private let scope = TestScope()

    private func completed(_ id: UInt64, picture: String) -> EncodedEvent {
        var event = SampleEvents.trackEvent(.completed(.gone), id: id, frame: id)
        event.best = SnapshotEvent(
            detector: "face", kind: .face, track: TrackID(id), rule: .best, frame: event.frame, file: picture, width: 1,
            height: 1, bytes: 1, score: 0.5)
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "door"))
        return encoder.encode(.track(event))
    }

    private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    @Test func picturesGoWithTheirTracks() throws {
        let limits = JournalLimits(bytes: 64 << 20, eventAge: 100, trackAge: 1000)
        var database = try JournalDatabase(path: scope.path("journal.sqlite"), limits: limits)
        try database.begin(run: "0123456789abcdef", next: 1, counts: EventCounts())
        let ours = scope.write("snapshots/door/a.jpg", "picture")
        scope.write("snapshots/door/a.json", "{}")
        // What a worker that has run wild may have written into its lines.
        let others = [
            scope.write("passwords.jpg", "secret"), scope.write("snapshots/door/notes.txt", "text"),
        ]
        let lines = [ours, others[0], others[1], "\(scope.folder)/snapshots/../passwords.jpg"]
        for (index, path) in lines.enumerated() {
            let sequence = UInt64(index + 1)
            let event = completed(sequence, picture: path)
            try database.commit(
                .init(records: [.init(sequence: sequence, pipeline: "door", event: event)]), at: 10_000)
        }
        let entries = try TrackHistory.read(folder: scope.folder, TrackHistory.Query())
        #expect(entries.count == 4 && entries.last?.picture == ours && isThere(ours))
        try database.commit(.init(), at: 12_000)
        database.close()
        #expect(try TrackHistory.read(folder: scope.folder, TrackHistory.Query()).isEmpty)
        #expect(!isThere(ours) && !isThere(scope.path("snapshots/door/a.json")))
        #expect(others.allSatisfy(isThere))
    }

    @Test func aPictureThatIsGoneIsNotTold() throws {
        var database = try JournalDatabase(
            path: scope.path("journal.sqlite"), limits: .init(bytes: 64 << 20, eventAge: 100, trackAge: 1000))
        try database.begin(run: "0123456789abcdef", next: 1, counts: EventCounts())
        let event = completed(1, picture: scope.path("snapshots/door/none.jpg"))
        try database.commit(.init(records: [.init(sequence: 1, pipeline: "door", event: event)]), at: 10_000)
        database.close()
        let entry = try #require(try TrackHistory.read(folder: scope.folder, TrackHistory.Query()).first)
        #expect(entry.picture == nil && entry.track.best != nil)
    }
}
