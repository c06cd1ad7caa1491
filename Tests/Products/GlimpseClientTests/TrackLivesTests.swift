// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import GlimpseClient

/// Lines of a stream become calls to the objects that follow tracks.
@Suite struct TrackLivesTests {
    /// The connection is lost, updates are left out, lines are forgotten, the daemon restarts. The calls to each object
    /// stay in legal order. In the end the followed tracks are the live tracks.
    @Test(arguments: Fuzz.seeds(400)) func trackCallsStayInLegalOrderOverGapsAndRestarts(seed: UInt64) {
        var daemon = DaemonModel(seed: seed)
        for _ in 0..<daemon.pick(0...10) { daemon.process() }
        var reader = ReaderModel(daemon)
        for _ in 0..<120 {
            switch daemon.pick(0...19) {
            case 0: reader.connect(daemon)
            case 1: daemon.forget(upTo: daemon.log.count + 1 - daemon.pick(0...30))
            case 2 where daemon.chance(20):
                daemon.restart()
                reader.connect(daemon)
            case 3...9: reader.read(daemon.pick(1...12), &daemon, thins: true)
            default: daemon.process()
            }
        }
        reader.catchUp(&daemon)
        #expect(Set(reader.open.keys.map(\.id)) == Set(daemon.live.map { String($0.id) }))
        let missing = Set(reader.open.filter { $0.value.hasSuffix("m") }.keys.map(\.id))
        #expect(missing == Set(daemon.live.filter { $0.missing > 0 }.map { String($0.id) }))
        reader.end()
        #expect(reader.faults.isEmpty && reader.open.isEmpty, "\(reader.faults)")
        for (calls, reason) in reader.finished {
            #expect(calls.wholeMatch(of: /du(?:u|m+u)*m*c/) != nil, "\(calls)")
            #expect(["gone", TrackLives.lost, TrackLives.unfollowed].contains(reason))
        }
    }

    /// Lost connections alone lose nothing. Each track has one object, each line has one call, and the reasons are the
    /// daemon's.
    @Test(arguments: Fuzz.seeds(100)) func aResumedStreamGivesEachTrackOneObject(seed: UInt64) {
        var daemon = DaemonModel(seed: seed)
        var reader = ReaderModel(daemon)
        // The place from which the next connection goes on.
        reader.read(1, &daemon, thins: false)
        for _ in 0..<80 {
            daemon.process()
            if daemon.chance(20) { reader.connect(daemon) }
            if daemon.chance(50) { reader.read(daemon.pick(1...12), &daemon, thins: false) }
        }
        reader.catchUp(&daemon)
        let calls = reader.finished.map(\.calls) + reader.open.values
        #expect(calls.reduce(0) { $0 + $1.count } == daemon.log.count)
        #expect(calls.count == daemon.log.count { $0.contains(#""detected""#) })
        #expect(reader.finished.allSatisfy { $0.reason == "gone" } && reader.faults.isEmpty)
    }

    /// A track that began before the connection and is missing.
    @Test func aMissingTrackOfTheStateBeginsWithThreeCalls() throws {
        var daemon = DaemonModel(seed: 1)
        while !daemon.live.contains(where: { $0.missing > 0 }) { daemon.process() }
        var reader = ReaderModel(daemon)
        reader.catchUp(&daemon)
        let missing = try #require(daemon.live.first { $0.missing > 0 })
        #expect(reader.open.first { $0.key.id == String(missing.id) }?.value == ["d", "u", "m"].joined())
    }

    /// The filter may pass only the ends of tracks.
    @Test func aTrackWithoutABeginningGetsAWholeLife() {
        var daemon = DaemonModel(seed: 2)
        var reader = ReaderModel(daemon)
        while reader.finished.isEmpty {
            daemon.process()
            if daemon.log.last?.contains(#""completed""#) == true {
                daemon.forget(upTo: daemon.log.count)
                // Only the line of the end is left.
                reader.catchUp(&daemon)
            }
        }
        #expect(reader.finished.first?.calls == "duc" && reader.finished.first?.reason == "gone")
    }
}
