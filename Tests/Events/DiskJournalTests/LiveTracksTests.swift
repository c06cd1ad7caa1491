import EventLines
import EventLog
import GlimpseTesting
import Testing

@testable import DiskJournal

struct LiveTracksTests {
    /// A worker that begins tracks without end must not fill the memory.
    @Test func liveTracksAreBounded() {
        var live = LiveTracks()
        var events = SampleEvents()
        let limit = UInt64(PipelineLedger.maximumLiveTracks)
        func take(_ event: EncodedEvent, _ sequence: UInt64) {
            live.take(ArchivedRecord(sequence: sequence, pipeline: "door", event: event))
        }
        for id in 1...(limit + 100) { take(events.track(.detected, id: id), id) }
        #expect(live.pipelines["door"]?.tracks.count == Int(limit))
        // Known tracks continue, and make room.
        take(events.track(.update, id: 1), limit + 101)
        take(events.track(.completed(.gone), id: 2), limit + 102)
        take(events.track(.detected, id: limit + 50), limit + 103)
        let door = live.pipelines["door"]
        #expect(door?.tracks.count == Int(limit) && door?.highestTrack == limit + 100)
        #expect(door?.tracks["face/1"]?.newest == limit + 101 && door?.tracks["face/\(limit + 50)"] != nil)
    }
}
