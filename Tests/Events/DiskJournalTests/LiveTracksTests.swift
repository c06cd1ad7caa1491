// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
import GlimpseTesting
import Testing

@testable import DiskJournal

struct LiveTracksTests {
    /// The totals of crossings are there for the next daemon. A database of an earlier version has none.
    @Test func totalsOfCrossingsAreStored() throws {
        var live = LiveTracks()
        var (events, totals) = (SampleEvents(), LineTotals())
        let lines = [events.track(.detected, id: 1)] + [.in, .in, .out].map { totals.count(events.crossing($0)) }
        for (index, line) in lines.enumerated() {
            live.take(ArchivedRecord(sequence: UInt64(index) + 1, pipeline: "door", event: line))
        }
        let stored = try #require(LiveTracks(json: live.json))
        #expect(stored == live && stored.state([:]).first?.lines == totals)
        #expect(totals.lines["door"]?.crossedIn == 2 && totals.lines["door"]?.crossedOut == 1)
        let older = #"{"pipelines":{"door":{"highestTrack":3,"frame":2,"tracks":{}}}}"#
        #expect(LiveTracks(json: Array(older.utf8))?.state([:]).first?.lines.isEmpty == true)
    }

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
